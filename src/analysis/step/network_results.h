// What a training step did to its network, and the network to it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/distribution.h"
#include "analysis/patterns/entropy.h"
#include "analysis/port_collectives.h"
#include "analysis/tier_loads.h"
#include "sim/simulate.h"

namespace railyard {

/// One kind of collective that used the network, over all stages.
struct OpRow {
  std::string name, group;
  std::uint64_t calls = 0;
  double mean_s = 0, longest_s = 0;    // of one call
  double p50_s = 0, p99_s = 0;         // the same: half and 99 in 100 of all calls take no longer
  double slowdown = 1;                 // against an idle network without bottlenecks
  double exposed_s = 0, hidden_s = 0;  // per stage: what nothing ran beside, and the rest
  std::vector<CdfPoint> cdf = {};      // of calls, seconds
};

/// Utilisation of one tier over the step, bin by bin: of all its links, and of the one that carried most.
struct TierSeries {
  std::string tier, busiest;       // the latter by name
  std::vector<double> mean, peak;  // peak is empty where there were too many flows to follow
};

struct NetworkResults {
  bool exact = false;
  double quantum_s = 0;
  double alone_s = 0;  // the step, had every collective the network to itself
  double bound_s = 0;  // merging moves the step by no more
  Telemetry::Solving solving;
  std::vector<OpRow> ops;
  std::vector<TierLoad> tiers;
  std::vector<MemberLoads> members;
  std::vector<RailLoad> rails;
  double bin_s = 0;
  std::vector<TierSeries> series;
  CollectivesByPort by_port;
};

/// REQUIRES: a step that was played over a network.
NetworkResults analyse_network(const Scenario& scenario, const Run& run);

}  // namespace railyard
