// From a scenario to what happened. The only place where workload, placement and network meet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "collective/schedule.h"
#include "engine/wire.h"
#include "fabric/fabric.h"
#include "fabric/placement.h"
#include "scenario/scenario.h"
#include "sim/step_run.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// One collective of one size.
struct CollectiveRun {
  Bytes size;
  Schedule schedule;
  Picoseconds time;
  Picoseconds bound;  // no all-reduce on this fabric can be faster (docs/models.md, lower bounds)
  TrunkId bound_at;   // the trunk that sets the bound
  Telemetry telemetry;
};

/// Everything one run produced, stage by stage. A training step has no fabric yet: its collectives are closed forms.
struct Run {
  std::optional<StepRun> training;
  Fabric fabric;
  Placement placement;
  WireFormat wire;
  std::vector<CollectiveRun> collectives;
  Diagnostics diagnostics;  // warnings and notes; errors prevent a Run
  std::string fingerprint;
};

struct RunOptions {
  unsigned threads = 0;  // 0: as many as the machine has; the result does not depend on it
};

/// Builds the network, lowers the workload, plays it. Refuses what is not built and what cannot be wired.
Result<Run> simulate(const Scenario& scenario, const RunOptions& options, Progress& progress);

}  // namespace railyard
