// How much longer the slowest GPU of a job computes than a usual one.
#pragma once

#include <cstdint>

#include "plan/workload_plan.h"

namespace railyard {

/// Expected largest of `count` values of a standard normal distribution. Rounded to six decimals, so that every machine has
/// the same. REQUIRES: count > 0.
double expected_largest(std::uint32_t count);

/// What all compute of a step is multiplied by: GPUs of one kind differ in speed (`gpu_spread`, a standard deviation), all wait
/// for the slowest of them, and `straggler` comes on top.
double compute_slowdown(const WorkloadPlan& plan);

}  // namespace railyard
