// Runs a collective: builds its network, places its ranks, and times it for every size.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "plan/scenario.h"
#include "sim/run.h"

namespace railyard {

/// REQUIRES: scenario.workload.collective.
Result<Run> simulate_collective(const Scenario& scenario, const RunOptions& options, Progress& progress);

}  // namespace railyard
