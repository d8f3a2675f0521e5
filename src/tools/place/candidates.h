// Placements of a job on the servers that are free, before anything is simulated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "fabric/placement.h"
#include "plan/scenario.h"
#include "tools/place/link_cost.h"
#include "workload/step.h"

namespace railyard {

/// Where every rank sits, and how that came about.
struct SeatPlan {
  std::string name;                         // "round-robin"
  bool is_baseline = false;                 // what a scheduler or a built-in policy does
  std::vector<std::uint32_t> seats = {};    // the GPU of every rank
  std::size_t order = 0;                    // of ranks, by which units were made
  std::vector<std::uint32_t> servers = {};  // of its units; empty where it has none: a server has ranks of several
  double links_s = 0;                       // what the closed form of links says
};

/// A job and the servers it may have.
class SeatSearch {
 public:
  /// `free`: in the scheduler's order. All must outlive this.
  SeatSearch(const Scenario& scenario, const Step& step, const Fabric& fabric, const std::vector<std::uint32_t>& free);

  /// The scheduler's order, then every built-in policy on the free servers.
  [[nodiscard]] std::vector<SeatPlan> baselines() const;

  /// Ranks in regular orders on some of the servers, as they are and partitioned: those that links cost least first.
  [[nodiscard]] std::vector<SeatPlan> starts(const KindWeights& weights) const;

  /// One of them, annealed. For several threads.
  [[nodiscard]] SeatPlan improved(const SeatPlan& from, const KindWeights& weights, std::uint64_t seed) const;

 private:
  [[nodiscard]] SeatPlan planned(std::string name, std::size_t order, std::vector<std::uint32_t> servers,
                                 const KindWeights& weights) const;
  [[nodiscard]] std::vector<std::uint32_t> seats_of(const RankUnits& units, const std::vector<std::uint32_t>& servers) const;

  const Scenario& scenario_;
  const Fabric& fabric_;
  const std::vector<std::uint32_t>& free_;
  const std::uint32_t ranks_;
  ServerTree tree_;
  std::vector<UnitOrder> orders_;
  std::vector<UnitGraph> graphs_;  // by order
};

}  // namespace railyard
