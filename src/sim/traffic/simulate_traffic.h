// Runs a pattern of traffic: builds its network, places its hosts, sends its messages.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "base/team_post.h"
#include "plan/scenario.h"
#include "sim/run.h"

namespace railyard {

/// With a team as simulate_together() (sim/team.h). REQUIRES: scenario.workload.traffic.
Result<Run> simulate_traffic(const Scenario& scenario, const RunOptions& options, Progress& progress, TeamPost* team = nullptr);

}  // namespace railyard
