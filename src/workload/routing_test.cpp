#include "workload/routing.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

ModelPlan with_experts(std::uint32_t experts, std::uint32_t per_token, std::uint32_t groups = 1, std::uint32_t limit = 1) {
  ModelPlan m;
  m.experts = experts;
  m.experts_per_token = per_token;
  m.expert_groups = groups;
  m.expert_group_limit = limit;
  return m;
}

/// Share of all ways to choose groups, then experts, that touch experts [0, block).
double by_enumeration(const ModelPlan& m, std::uint32_t block) {
  const std::uint32_t size = m.experts / m.expert_groups;
  double hits = 0, all = 0;
  for (std::uint32_t groups = 0; groups < 1U << m.expert_groups; groups++) {
    if (static_cast<std::uint32_t>(__builtin_popcount(groups)) != m.expert_group_limit) continue;
    double combinations = 0, touching = 0;
    for (std::uint32_t chosen = 0; chosen < 1U << m.experts; chosen++) {
      if (static_cast<std::uint32_t>(__builtin_popcount(chosen)) != m.experts_per_token) continue;
      bool allowed = true;
      for (std::uint32_t e = 0; e < m.experts; e++)
        if ((chosen >> e & 1) != 0 && (groups >> (e / size) & 1) == 0) allowed = false;
      if (!allowed) continue;
      combinations++;
      touching += (chosen & ((1U << block) - 1)) != 0 ? 1 : 0;
    }
    hits += touching / combinations;
    all++;
  }
  return hits / all;
}

TEST(Routing, chance_to_visit_a_block_of_experts_is_that_of_all_choices) {
  for (const std::uint32_t block : {1U, 2U, 4U, 8U}) {
    EXPECT_NEAR(visit_probability(with_experts(8, 3), block), by_enumeration(with_experts(8, 3), block), 1e-12);
    EXPECT_NEAR(visit_probability(with_experts(12, 4, 6, 3), block), by_enumeration(with_experts(12, 4, 6, 3), block), 1e-12);
  }
}

TEST(Routing, a_token_of_deepseek_v2_reaches_at_most_three_devices) {
  // 160 experts on 8 devices, 6 per token from 3 devices: 3 (1 - C(40,6)/C(60,6)) = 3 (1 - 3838380/50063860).
  const Routing routing = route(with_experts(160, 6, 8, 3), 8, 8, {});
  EXPECT_NEAR(routing.ranks_visited, 3 * (1 - 3838380.0 / 50063860.0), 1e-12);
  EXPECT_NEAR(routing.domains_visited, 1, 1e-12);
  EXPECT_EQ(routing.imbalance, 1);
}

TEST(Routing, the_busiest_rank_has_the_share_of_its_experts) {
  const std::vector<double> shares = {4, 0, 1, 1, 1, 1, 0, 0};
  EXPECT_DOUBLE_EQ(route(with_experts(8, 1), 4, 4, shares).imbalance, 2);
}

TEST(Routing, popular_experts_follow_zipf_and_sit_anywhere) {
  const std::vector<double> even = zipf_shares(16, 0, 1), steep = zipf_shares(16, 1, 1);
  for (const double share : even) EXPECT_EQ(share, 1);
  std::vector<double> sorted = steep;
  std::sort(sorted.rbegin(), sorted.rend());
  for (std::size_t i = 0; i < sorted.size(); i++) EXPECT_NEAR(sorted[i], 1.0 / static_cast<double>(i + 1), 1e-9);
  EXPECT_NE(sorted, steep);
  EXPECT_NE(zipf_shares(16, 1, 2), steep);
}

}  // namespace
}  // namespace railyard
