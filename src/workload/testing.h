// Steps of whole scenarios, for tests of everything above the workload.
#pragma once

#include "plan/scenario.h"
#include "workload/layout.h"
#include "workload/step.h"

namespace railyard::testing {

inline Result<Step> build_step(const Scenario& scenario) { return railyard::build_step(scenario.workload, scenario.keys); }

inline railyard::Layout layout_of(const Scenario& scenario) { return railyard::layout_of(scenario.workload); }

}  // namespace railyard::testing
