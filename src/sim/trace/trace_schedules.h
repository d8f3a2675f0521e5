// The collectives of a trace as schedules, each distinct one once, and what all of the trace puts on the network.
#pragma once

#include <vector>

#include "base/result.h"
#include "collective/schedule.h"
#include "fabric/placement.h"
#include "plan/scenario.h"
#include "sim/packet_limits.h"
#include "trace/graph.h"

namespace railyard {

/// A collective of one group, kind and size.
struct TraceSchedule {
  Schedule schedule;
  std::vector<EndpointId> seats;  // by position
};

struct TraceSchedules {
  static constexpr std::uint32_t kNothing = 0xffff'ffff;  // one rank, or no bytes

  std::vector<TraceSchedule> all;
  Table<TraceCallId, std::uint32_t> of_call;
};

/// Lowers what the graph's groups do together. Without an algorithm in the scenario, or where a kind does not have that, the
/// plainest is used; a barrier is an all-reduce of 8 bytes over a tree. REQUIRES: a seat for every rank.
Result<TraceSchedules> lower_trace(const Scenario& scenario, const TraceGraph& graph, const Fabric& fabric,
                                   const Placement& placement);

/// What every pair of endpoints exchanges, in the order of pairs.
std::vector<PairLoad> loads_of_trace(const TraceGraph& graph, const TraceSchedules& schedules, const Placement& placement);

/// Of a collective, as the rest of the program calls it.
CollectiveKind kind_of(TraceCollective kind);

}  // namespace railyard
