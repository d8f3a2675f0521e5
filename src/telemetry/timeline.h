// Rates over time in bounded memory: bins that grow wider as a run grows longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/units.h"

namespace railyard {

/// Amounts per bin of time, for several rows. All bins are of one width, a power of two picoseconds; when time runs past the
/// last one, neighbours are joined and the width doubles. Nothing is lost: a row sums up to what was added to it.
class Timeline {
 public:
  static constexpr std::size_t kBins = 512;

  Timeline() = default;
  explicit Timeline(std::size_t rows) : amounts_(rows * kBins, 0.0) {}

  /// Spreads `rate` per second evenly from `begin` to `end`. REQUIRES: 0 <= begin <= end.
  void add(std::size_t row, Picoseconds begin, Picoseconds end, double rate);

  [[nodiscard]] std::size_t rows() const { return amounts_.size() / kBins; }
  [[nodiscard]] Picoseconds width() const { return width_; }
  /// Bins up to the last time something was added for.
  [[nodiscard]] std::size_t used() const { return used_; }
  [[nodiscard]] std::span<const double> row(std::size_t row) const { return std::span(amounts_).subspan(row * kBins, used_); }

 private:
  void widen();

  std::vector<double> amounts_;
  Picoseconds width_ = Picoseconds(1 << 20);  // about a microsecond
  std::size_t used_ = 0;
};

}  // namespace railyard
