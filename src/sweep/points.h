// The points of a sweep, by number: the same list wherever it is made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/result.h"
#include "sweep/sweep_spec.h"

namespace railyard {

/// Axes and what each point has on them. The last axis changes fastest.
class SweepPoints {
 public:
  /// All combinations, or those that a latin hypercube draws, and each with every seed; without those that a condition rules
  /// out. A condition that cannot be understood is RY-SWP-006; no point that is left, or more than a million, RY-SWP-008.
  /// `scenario` has what conditions name and no axis has.
  static Result<SweepPoints> make(const SweepSpec& spec, const Document& scenario);

  [[nodiscard]] const std::vector<SweepAxis>& axes() const { return axes_; }
  [[nodiscard]] std::size_t size() const { return axes_.empty() ? 0 : choices_.size() / axes_.size(); }
  /// Which of its values the axis has there.
  [[nodiscard]] std::uint32_t choice(std::size_t point, std::size_t axis) const {
    return choices_[point * axes_.size() + axis];
  }
  [[nodiscard]] const Document& value(std::size_t point, std::size_t axis) const {
    return axes_[axis].values[choice(point, axis)];
  }

 private:
  std::vector<SweepAxis> axes_;
  std::vector<std::uint32_t> choices_;  // of the first point on all axes, of the second, …
};

}  // namespace railyard
