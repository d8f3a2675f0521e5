// Runs a training step: in closed form, or by flows over its fabric, with a slice of it packet by packet.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "plan/scenario.h"
#include "sim/run.h"

namespace railyard {

/// REQUIRES: scenario.workload.model.
Result<Run> simulate_step(const Scenario& scenario, const RunOptions& options, Progress& progress);

}  // namespace railyard
