// From a scenario to what happened. The only place where workload, placement and network meet.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "plan/scenario.h"
#include "sim/run.h"

namespace railyard {

/// Builds the network, lowers the workload, plays it. Refuses what is not built and what cannot be wired.
Result<Run> simulate(const Scenario& scenario, const RunOptions& options, Progress& progress);

/// What simulate() would refuse, or warn about, found by going as far as it does before anything is played. Steps with a
/// slice or with failures need more: they are played over flows, which tell what is in the slice and whom failures keep from
/// whom. What else shows as a run goes on (a failure that comes later and cuts hosts off, a forwarding loop, queue pairs that
/// give up) is not foreseen.
struct Remarks {
  Diagnostics errors;    // it cannot be run
  Diagnostics warnings;  // about one that can
};
Remarks remarks_on(const Scenario& scenario, const RunOptions& options = {});

}  // namespace railyard
