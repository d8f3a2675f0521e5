// How far predictions were off when that was last recorded (catalog/accuracy).
#pragma once

#include <cstdint>
#include <string_view>

#include "plan/choices.h"

namespace railyard {

/// Absolute relative errors on published rows that no constant was set on.
struct RecordedAccuracy {
  std::int64_t rows = 0;
  double median = 0, p90 = 0;
};

/// Of training steps, of models with experts or without. Packets are those of the flow engine: a slice does not move the step.
RecordedAccuracy recorded_accuracy(bool with_experts, Fidelity fidelity);

}  // namespace railyard
