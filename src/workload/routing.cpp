#include "workload/routing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "base/rng.h"

namespace railyard {

namespace {

/// Chance that `drawn` distinct experts out of `all` are none of `block` given ones.
double miss_probability(double all, double block, std::uint32_t drawn) {
  double miss = 1;
  for (std::uint32_t i = 0; i < drawn; i++) miss *= std::max(0.0, all - block - i) / std::max(1.0, all - i);
  return miss;
}

/// Chance that `wanted` of `chosen` groups, drawn from `all`, lie in a block of `block` groups: the hypergeometric
/// distribution, factor by factor, so that nothing overflows.
double overlap_probability(std::uint32_t all, std::uint32_t block, std::uint32_t chosen, std::uint32_t wanted) {
  if (wanted > block || chosen - wanted > all - block) return 0;
  double chance = 1;
  for (std::uint32_t i = 0; i < wanted; i++) chance *= static_cast<double>(block - i) / (all - i) * (chosen - i) / (i + 1);
  for (std::uint32_t i = 0; i < chosen - wanted; i++) chance *= static_cast<double>(all - block - i) / (all - wanted - i);
  return chance;
}

}  // namespace

double visit_probability(const ModelPlan& model, std::uint32_t block) {
  const std::uint32_t groups = model.expert_groups, limit = std::min(model.expert_group_limit, groups);
  const double group_size = static_cast<double>(model.experts) / groups, eligible = group_size * limit;
  const std::uint32_t drawn = model.experts_per_token;
  if (block <= group_size) return static_cast<double>(limit) / groups * (1 - miss_probability(eligible, block, drawn));
  const auto whole = static_cast<std::uint32_t>(block / group_size);
  double hit = 0;
  for (std::uint32_t inside = 0; inside <= std::min(whole, limit); inside++)
    hit += overlap_probability(groups, whole, limit, inside) * (1 - miss_probability(eligible, inside * group_size, drawn));
  return hit;
}

Routing route(const ModelPlan& model, std::uint32_t ranks, std::uint32_t local, std::span<const double> shares,
              double capacity) {
  RY_CHECK(model.experts > 0 && model.experts % ranks == 0, "experts are spread evenly over ranks");
  RY_CHECK(shares.empty() || shares.size() == model.experts, "every expert has a share of the tokens");
  const std::uint32_t per_rank = model.experts / ranks, domains = (ranks + local - 1) / local;
  Routing routing;
  routing.ranks_visited = ranks * visit_probability(model, per_rank);
  routing.domains_visited = domains * visit_probability(model, std::min(model.experts, per_rank * local));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (std::uint32_t rank = 0; rank < ranks && sum > 0; rank++) {
    const auto first = shares.begin() + rank * per_rank;
    routing.imbalance = std::max(routing.imbalance, std::accumulate(first, first + per_rank, 0.0) / sum * ranks);
  }
  double taken = 0;
  for (std::uint32_t expert = 0; expert < model.experts; expert++)
    taken += std::min(sum > 0 ? shares[expert] / sum * model.experts : 1.0, capacity) / model.experts;
  routing.dropped = 1 - std::min(1.0, taken);
  return routing;
}

std::vector<double> zipf_shares(std::uint32_t experts, double exponent, std::uint64_t seed) {
  std::vector<double> shares(experts);
  Rng rng(seed, "expert-popularity", 0);
  for (std::uint32_t i = 0; i < experts; i++) {
    constexpr double kGrain = 1e9;  // far above the last digit of pow, which differs between machines
    shares[i] = std::round(kGrain * std::pow(static_cast<double>(i) + 1, -exponent)) / kGrain;
    std::swap(shares[i], shares[rng.below(i + 1)]);
  }
  return shares;
}

}  // namespace railyard
