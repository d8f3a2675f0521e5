// What delays do to a training step: it is played without them, and with each kind alone.
#pragma once

#include <functional>

#include "base/result.h"
#include "sim/step/jitter.h"
#include "sim/step/step_run.h"

namespace railyard {

/// Plays the step from its beginning with these delays.
using PlayStep = std::function<Result<StepRun>(const Jitter& jitter)>;

/// Plays the step without delays, counts its calls for `jitter`, and where several kinds of collectives are delayed plays it
/// with each of them alone. Refuses what Jitter::count() does, and what cannot be played.
Result<JitterRun> compare_jitter(const Scenario& scenario, Jitter& jitter, const PlayStep& play);

/// Hands the comparison to the step with all delays.
void adopt_jitter(JitterRun jitter, StepRun& played);

}  // namespace railyard
