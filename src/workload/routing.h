// Where tokens go: how many GPUs and domains a token visits on its way through the experts, and how unevenly they are loaded.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "workload/expert_loads.h"
#include "workload/transformer.h"

namespace railyard {

struct Routing {
  double ranks_visited = 0;    // distinct ranks of the expert group a token's copies reach, its own among them by chance
  double domains_visited = 0;  // distinct scale-up domains
  double imbalance = 1;        // tokens at the busiest rank over the mean
  double dropped = 0;          // share of the copies that find their expert full
  ExpertLoads loads = {};      // of its pairs of ranks
};

/// Experts sit on ranks in order; `local` ranks of the group share a domain. Popularity apart, experts are equally likely;
/// group-limited routing first chooses the groups a token may visit.
/// `capacity` is what an expert takes over the mean; infinite if nothing is dropped.
/// REQUIRES: the model has experts and `ranks` divides them; `shares` is empty or has one number per expert.
Routing route(const ModelPlan& model, std::uint32_t ranks, std::uint32_t local, std::span<const double> shares,
              double capacity = std::numeric_limits<double>::infinity());

/// Chance that a token visits a block of `block` neighbouring experts.
double visit_probability(const ModelPlan& model, std::uint32_t block);

/// One share per expert, most popular first dealt to ranks in an order that `seed` names.
std::vector<double> zipf_shares(std::uint32_t experts, double exponent, std::uint64_t seed);

}  // namespace railyard
