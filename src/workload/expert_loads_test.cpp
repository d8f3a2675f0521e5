#include "workload/expert_loads.h"

#include <gtest/gtest.h>

#include <numeric>

namespace railyard {
namespace {

/// Eight experts on four ranks, two to a domain.
constexpr ExpertRanks kFour{.experts = 8, .ranks = 4, .local = 2};

std::vector<double> repeated(const std::vector<double>& row, std::size_t times) {
  std::vector<double> all;
  for (std::size_t i = 0; i < times; i++) all.insert(all.end(), row.begin(), row.end());
  return all;
}

TEST(ExpertLoads, equal_shares_are_no_load_at_all) {
  for (const double share : {1.0, 0.1, 7.0}) {
    const ExpertLoads loads = expert_loads(kFour, std::vector<double>(8, share));
    EXPECT_FALSE(loads.uneven());
    EXPECT_EQ(loads.all, 1);
    EXPECT_EQ(loads.remote, 1);
  }
}

TEST(ExpertLoads, every_rank_sends_all_it_has) {
  std::vector<double> shares(32);
  for (std::size_t i = 0; i < shares.size(); i++) shares[i] = static_cast<double>(i * i % 11);
  const ExpertLoads loads = expert_loads(kFour, shares);
  ASSERT_EQ(loads.pairs.size(), 4U);
  for (const std::vector<double>& row : loads.pairs) EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 4, 1e-12);
}

TEST(ExpertLoads, the_busiest_rank_is_the_largest_sum_of_a_row_or_a_column) {
  const std::vector<double> hot = {5, 1, 1, 1, 0, 0, 1, 1};
  const ExpertLoads alike = expert_loads(kFour, hot), each = expert_loads(kFour, repeated(hot, 4));
  EXPECT_DOUBLE_EQ(alike.all, 2.4);  // 6 of 10 tokens, where a quarter is the mean
  EXPECT_DOUBLE_EQ(alike.remote, 2.4);
  EXPECT_NEAR(each.all, alike.all, 1e-12);
  EXPECT_NEAR(each.remote, alike.remote, 1e-12);
}

TEST(ExpertLoads, what_is_handed_on_inside_a_domain_is_shared_by_its_nics) {
  const std::vector<double> hot = {5, 1, 1, 1, 0, 0, 1, 1};
  ExpertRanks once = kFour;
  once.dispatch = Dispatch::deduplicated;
  EXPECT_DOUBLE_EQ(expert_loads(once, hot).remote, 1.6);  // 8 of 10 tokens to one domain of two
  EXPECT_DOUBLE_EQ(expert_loads(once, hot).all, 2.4);
}

TEST(ExpertLoads, tokens_that_stay_where_they_are_are_not_sent) {
  std::vector<double> own(32, 0);
  for (std::size_t rank = 0; rank < 4; rank++) own[rank * 8 + rank * 2] = 1;
  const ExpertLoads loads = expert_loads(kFour, own);
  EXPECT_EQ(loads.all, 0);
  EXPECT_EQ(loads.remote, 0);
  std::vector<double> neighbours(32, 0);  // to the other rank of the same domain
  for (std::size_t rank = 0; rank < 4; rank++) neighbours[rank * 8 + (rank ^ 1) * 2] = 1;
  EXPECT_DOUBLE_EQ(expert_loads(kFour, neighbours).all, 4.0 / 3);
  EXPECT_EQ(expert_loads(kFour, neighbours).remote, 0);
}

TEST(ExpertLoads, full_experts_take_in_no_more) {
  ExpertRanks full = kFour;
  full.capacity = 1.5;
  const std::vector<double> hot = {5, 1, 1, 1, 0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(expert_loads(full, hot).all, 1.5);
  EXPECT_DOUBLE_EQ(expert_loads(full, hot).between(2, 0), 1.5);
  full.capacity = 0.5;
  EXPECT_EQ(expert_loads(full, {}).all, 0.5);
}

TEST(ExpertLoads, totals_count_every_rank_alike) {
  const std::vector<double> totals = expert_totals(2, std::vector<double>{30, 10, 0, 2});
  EXPECT_DOUBLE_EQ(totals[0], 0.75);
  EXPECT_DOUBLE_EQ(totals[1], 1.25);
}

}  // namespace
}  // namespace railyard
