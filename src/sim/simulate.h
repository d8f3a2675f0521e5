// From a scenario to what happened. The only place where workload, placement and network meet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/wire.h"
#include "fabric/ecmp.h"
#include "fabric/fabric.h"
#include "fabric/placement.h"
#include "plan/scenario.h"
#include "sim/collective_run.h"
#include "sim/slice_plan.h"
#include "sim/slice_run.h"
#include "sim/step_run.h"
#include "sim/traffic_run.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// Everything one run produced, stage by stage.
struct Run {
  std::optional<StepRun> training;
  std::optional<Telemetry> network;  // of a training step that was played over one
  Fabric fabric;
  Placement placement;
  WireFormat wire;
  PathPolicy routing;
  std::vector<CollectiveRun> collectives;
  std::optional<TrafficRun> traffic = {};
  std::optional<SliceRun> slice = {};       // of the training step
  std::optional<CarriedStep> carried = {};  // the same, played over a network: every collective on it
  Diagnostics diagnostics;                  // warnings and notes; errors prevent a Run
  std::string fingerprint;
};

struct RunOptions {
  unsigned threads = 0;   // 0: as many as the machine has; the result does not depend on it
  FlowSink on_flow = {};  // every transfer of the flow engine as it ends, of the packet engine in the same order at the end
  Bytes memory = kMemoryLimit;  // that a run of the packet engine may need
};

/// How a transport cuts messages into packets.
WireFormat wire_format(const TransportPlan& transport);

/// Gives optical circuits to the pods that the collective makes send most to each other, where the scenario asks for that: its
/// traffic between nodes, or between neighbours where every GPU is a node of its own.
void match_to_demand(const Scenario& scenario, const Placement& placement, Fabric& fabric);

/// Builds the network, lowers the workload, plays it. Refuses what is not built and what cannot be wired.
Result<Run> simulate(const Scenario& scenario, const RunOptions& options, Progress& progress);

}  // namespace railyard
