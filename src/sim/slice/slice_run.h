// A slice of a training step, packet by packet, beside what the flow engine made of it.
#pragma once

#include "base/progress.h"
#include "sim/slice/slice_plan.h"
#include "sim/traffic/traffic_run.h"

namespace railyard {

/// What became of one collective's part of one edge.
struct SlicedEdgeRun {
  std::uint32_t arrived = 0;  // pieces, those before the slice included
  Picoseconds last;           // when the last of them did, from the beginning of the slice
  Picoseconds idle;           // what a piece takes alone on the fabric
};

struct SliceRun {
  SlicePlan plan;
  std::vector<std::vector<SlicedEdgeRun>> edges;  // by collective and edge, as planned
  TrafficRun traffic;                             // pieces as messages, times from the beginning of the slice
};

/// Plays the slice: collectives start when they did in the flow engine, or go on from where they were, and are cut off at the
/// end of the window. Refuses what plan_slice() does, what the packet engine cannot do, and what may need more than `memory`.
/// REQUIRES: `network` has a packet plan.
Result<SliceRun> run_slice(const Scenario& scenario, const Network& network, const Placement& placement,
                           const CarriedStep& step, Bytes memory, Progress& progress);

/// What run_slice() would refuse before it plays anything.
Diagnostics refused_slice(const Scenario& scenario, const Network& network, const Placement& placement, const CarriedStep& step,
                          Bytes memory);

}  // namespace railyard
