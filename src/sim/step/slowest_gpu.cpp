#include "sim/step/slowest_gpu.h"

#include <array>
#include <cmath>

#include "base/check.h"

namespace railyard {

namespace {

constexpr std::size_t kSteps = 512;
constexpr double kWidth = 1.0 / 64;  // of a step: they end at eight times the spread

/// The chance that one is above the middle of each step.
std::array<double, kSteps> chances_above() {
  std::array<double, kSteps> out{};
  for (std::size_t i = 0; i < kSteps; i++) out[i] = std::erfc((static_cast<double>(i) + 0.5) * kWidth / std::sqrt(2.0)) / 2;
  return out;
}

}  // namespace

/// The integral of the chance that the largest is above x, less that it is below -x, over x > 0.
double expected_largest(std::uint32_t count) {
  RY_CHECK(count > 0, "there is no largest of none");
  static const std::array<double, kSteps> kAbove = chances_above();
  // Of many, the chance that all are far below the mean is smaller than what is lost by adding it.
  constexpr std::uint32_t kMany = 32;
  constexpr double kFar = 0.25;
  double sum = 0;
  for (const double above : kAbove)
    sum += 1 - std::pow(1 - above, count) - (count >= kMany && above < kFar ? 0 : std::pow(above, count));
  return std::round(sum * kWidth * 1e6) / 1e6;
}

double compute_slowdown(const WorkloadPlan& plan) {
  const double spread = plan.training.gpu_spread.value_or(plan.gpu ? plan.gpu->step.gpu_spread : 0);
  return (1 + plan.training.straggler) * (1 + spread * expected_largest(plan.gpus.value_or(1)));
}

}  // namespace railyard
