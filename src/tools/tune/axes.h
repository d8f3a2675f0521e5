// What may be set: thresholds of marks and pauses, how DCQCN recovers, and how connections are spread.
#pragma once

#include <vector>

#include "plan/scenario.h"
#include "search/axis.h"

namespace railyard {

/// The first value of each is what the scenario has. REQUIRES: loaded with engine.fidelity = "packet".
std::vector<Axis> tune_axes(const Scenario& scenario);

}  // namespace railyard
