// Makes one pass of serving of a step: forward, and nothing else. Internal to step*.cpp.
#pragma once

#include "workload/step.h"

namespace railyard {

/// Whether the batch has two halves, and experts on several ranks that either could talk to.
bool can_overlap(const WorkloadPlan& workload);

/// Takes backward passes, gradients and optimizer out of a step that was assembled for one micro-batch, counts its arithmetic,
/// and plans memory for weights and caches. REQUIRES: workload.pass.
void keep_forward(const WorkloadPlan& workload, Step& step);

/// An error if weights and caches do not fit; says which batch would.
Diagnostics too_full(const WorkloadPlan& workload, const GivenKeys& keys, const Step& step);

}  // namespace railyard
