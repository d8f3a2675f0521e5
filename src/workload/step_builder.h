// Assembles a step from its parts. Internal to step*.cpp.
#pragma once

#include "workload/step.h"

namespace railyard {

/// The step as the scenario describes it, whether it fits into memory or not.
Step assemble_step(const WorkloadPlan& workload);

}  // namespace railyard
