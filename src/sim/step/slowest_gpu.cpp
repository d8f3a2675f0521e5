#include "sim/step/slowest_gpu.h"

#include <cmath>

#include "base/check.h"

namespace railyard {

/// The integral of the chance that the largest is above x, less that it is below -x, over x > 0.
double expected_largest(std::uint32_t count) {
  RY_CHECK(count > 0, "there is no largest of none");
  constexpr double kWidth = 1.0 / 64, kEnd = 8;
  // Of many, the chance that all are far below the mean is smaller than what is lost by adding it.
  constexpr std::uint32_t kMany = 32;
  constexpr double kFar = 0.25;
  double sum = 0;
  for (double x = kWidth / 2; x < kEnd; x += kWidth) {
    const double above = std::erfc(x / std::sqrt(2.0)) / 2;  // the chance of one
    const double none_above = std::pow(1 - above, count);
    sum += 1 - none_above - (count >= kMany && above < kFar ? 0 : std::pow(above, count));
  }
  return std::round(sum * kWidth * 1e6) / 1e6;
}

double compute_slowdown(const WorkloadPlan& plan) {
  const double spread = plan.training.gpu_spread.value_or(plan.gpu ? plan.gpu->step.gpu_spread : 0);
  return (1 + plan.training.straggler) * (1 + spread * expected_largest(plan.gpus.value_or(1)));
}

}  // namespace railyard
