// Everything that may be chosen together: one value of every axis is a point.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "search/axis.h"

namespace railyard {

/// The number of a point: its choices as digits, the last axis first.
using PointId = std::uint64_t;

class Space {
 public:
  Space() = default;
  explicit Space(std::vector<Axis> axes);

  [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }
  /// How many points there are; 2^64 - 1 where they cannot be counted.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Those whose late axes have their first value.
  [[nodiscard]] std::uint64_t early_size() const { return early_size_; }

  /// The value of every axis, by its place in the list. REQUIRES: point < size().
  [[nodiscard]] std::vector<std::uint32_t> choices(PointId point) const;
  [[nodiscard]] PointId point(std::span<const std::uint32_t> choices) const;
  /// The n-th of those whose late axes have their first value, in the order of their numbers. REQUIRES: n < early_size().
  [[nodiscard]] PointId early(std::uint64_t n) const;

  /// The overrides that make a scenario this point, axis by axis.
  [[nodiscard]] std::vector<std::string> overrides(PointId point) const;
  /// The text of its value on one axis.
  [[nodiscard]] const std::string& text(PointId point, std::size_t axis) const;
  /// Points that differ on one axis alone, axis by axis.
  [[nodiscard]] std::vector<PointId> neighbours(PointId point) const;
  /// The same on one axis.
  [[nodiscard]] std::vector<PointId> neighbours(PointId point, std::size_t axis) const;

 private:
  std::vector<Axis> axes_;
  std::uint64_t size_ = 1, early_size_ = 1;
};

}  // namespace railyard
