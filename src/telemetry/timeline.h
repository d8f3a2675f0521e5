// Rates over time in bounded memory: bins that grow wider as a run grows longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.h"

namespace railyard {

/// Amounts per bin of time, for several rows. All bins are of one width, a power of two picoseconds; when time runs past the
/// last one, neighbours are joined and the width doubles. Nothing is lost: a row sums up to what was added to it.
///
/// Adding takes as long for many bins as for few: of those that a span covers as a whole, only the first and the one behind the
/// last hear of it. Their rates are kept in whole units per second, so that what ends leaves nothing behind.
class Timeline {
 public:
  static constexpr std::size_t kBins = 512;

  Timeline() = default;
  explicit Timeline(std::size_t rows) : amounts_(rows * kBins, 0.0), steps_(rows * kBins, 0) {}

  /// Spreads `rate` per second evenly from `begin` to `end`; over more than two bins it is rounded to a whole number.
  /// REQUIRES: 0 <= begin <= end, and rates that hold at one time add up to less than 2^63.
  void add(std::size_t row, Picoseconds begin, Picoseconds end, double rate);

  /// So many rows; new ones are empty. REQUIRES: there are no more now.
  void grow(std::size_t rows);

  [[nodiscard]] std::size_t rows() const { return amounts_.size() / kBins; }
  [[nodiscard]] Picoseconds width() const { return width_; }
  /// Bins up to the last time something was added for.
  [[nodiscard]] std::size_t used() const { return used_; }
  [[nodiscard]] std::vector<double> row(std::size_t row) const;

 private:
  void widen();

  std::vector<double> amounts_;      // of bins that spans cover in part
  std::vector<std::int64_t> steps_;  // by how much more a second than in the bin before spans add that cover it as a whole
  Picoseconds width_ = Picoseconds(1 << 20);  // about a microsecond
  std::size_t used_ = 0;
};

}  // namespace railyard
