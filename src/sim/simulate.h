// From a scenario to what happened. The only place where workload, placement and network meet.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "plan/scenario.h"
#include "sim/run.h"

namespace railyard {

/// Builds the network, lowers the workload, plays it. Refuses what is not built and what cannot be wired.
Result<Run> simulate(const Scenario& scenario, const RunOptions& options, Progress& progress);

}  // namespace railyard
