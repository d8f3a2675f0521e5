// What each stage of a run produced, for people who want to follow it.
#pragma once

#include "report/report.h"
#include "scenario/scenario.h"
#include "sim/simulate.h"

namespace railyard {

/// The scenario stage alone: every key that was given and every number it was settled with.
Report explain_scenario(const Scenario& scenario);

/// All stages, in the order they ran.
Report explain_run(const Scenario& scenario, const Run& run);

}  // namespace railyard
