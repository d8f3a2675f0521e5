// What serving consists of: passes that read prompts, and passes that write tokens. Each is a scenario of its own, on GPUs of
// its own.
#pragma once

#include "plan/scenario.h"

namespace railyard {

/// One side, with `requests` of each tensor group. REQUIRES: scenario.workload.serving, checked.
Scenario pass_of(const Scenario& scenario, PassSide side, std::uint32_t requests);

/// Tensor groups of one side.
std::uint32_t groups_of(const ServingSpec& serving, PassSide side);

}  // namespace railyard
