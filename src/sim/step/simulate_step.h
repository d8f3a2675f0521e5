// Runs a training step: in closed form, or by flows over its fabric, with a slice of it packet by packet.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "base/team_post.h"
#include "plan/scenario.h"
#include "sim/run.h"

namespace railyard {

/// With a team as simulate_together() (sim/team.h). REQUIRES: scenario.workload.model.
Result<Run> simulate_step(const Scenario& scenario, const RunOptions& options, Progress& progress, TeamPost* team = nullptr);

}  // namespace railyard
