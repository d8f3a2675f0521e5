// One run on several processes: they play its packets together, and do all else alike.
#pragma once

#include "base/team_post.h"
#include "sim/simulate.h"

namespace railyard {

/// An error where several processes cannot play this together: they play packets of [traffic] and of whole training steps, on
/// processors, while nothing fails. RY-RUN-089.
Diagnostics not_over_processes(const Scenario& scenario);

/// As simulate(), in every process of a team. The first returns what one process alone would return; the others throw TeamDone
/// (engine/team.h) when packets are over, or return the same refusal. REQUIRES: not_over_processes() is empty; no tap.
Result<Run> simulate_together(const Scenario& scenario, const RunOptions& options, TeamPost& team, Progress& progress);

}  // namespace railyard
