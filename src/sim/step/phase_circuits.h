// Optical circuits of a training step: given to pods by what the step sends, once or anew between its phases.
#pragma once

#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "fabric/build.h"
#include "sim/prepare.h"
#include "sim/step/step_run.h"

namespace railyard {

/// Whether circuits of the fabric follow what the step sends.
bool circuits_follow(const Scenario& scenario, const Fabric& fabric);

/// Plays the step once over pods in a ring to see what they send each other, gives circuits to those that send most, and finds
/// failures anew. Returns what was sent, by phase. Refuses changes of circuits that take longer than that step.
/// REQUIRES: circuits_follow().
Result<std::vector<PodDemand>> match_to_step(const Scenario& scenario, const Step& step, const FlowOptions& flow,
                                             PreparedRun& prepared, Progress& progress);

/// Plays the step over circuits that are fixed, and over those that change in no time. `played` is the step as it was over the
/// fabric of `run`.
Result<CircuitRun> compare_circuits(const Scenario& scenario, const Step& step, const FlowOptions& flow,
                                    const std::vector<PodDemand>& sent, const StepRun& played, const Jitter* jitter, Run& run,
                                    Progress& progress);

}  // namespace railyard
