// From a scenario with a trace to its run.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "plan/scenario.h"
#include "sim/run.h"

namespace railyard {

/// REQUIRES: scenario.workload.trace, with its graph.
Result<Run> simulate_trace(const Scenario& scenario, const RunOptions& options, Progress& progress);

}  // namespace railyard
