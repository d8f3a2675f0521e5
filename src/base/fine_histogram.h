// How very many numbers are distributed, in memory that does not grow with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace railyard {

/// Counts in buckets that are 1/1,024 of a power of two wide: a quantile is known to a two-thousandth, and small numbers, the
/// least and the largest exactly. Half a megabyte at most.
class FineHistogram {
 public:
  void add(std::uint64_t value);
  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// The middle of the bucket of the smallest value that at least a share `q` of all do not exceed (nearest rank).
  /// REQUIRES: count() > 0, 0 <= q <= 1.
  [[nodiscard]] double at(double q) const;

 private:
  std::vector<std::uint64_t> counts_;  // up to the largest bucket that has any
  std::uint64_t count_ = 0, least_ = 0, most_ = 0;
};

}  // namespace railyard
