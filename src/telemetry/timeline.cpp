#include "telemetry/timeline.h"

#include <algorithm>

#include "base/check.h"

namespace railyard {

void Timeline::widen() {
  for (std::size_t row = 0; row < rows(); row++) {
    double* const bins = amounts_.data() + row * kBins;
    for (std::size_t i = 0; i < kBins / 2; i++) bins[i] = bins[2 * i] + bins[2 * i + 1];
    std::fill(bins + kBins / 2, bins + kBins, 0.0);
  }
  width_ = width_ * 2;
  used_ = (used_ + 1) / 2;
}

void Timeline::add(std::size_t row, Picoseconds begin, Picoseconds end, double rate) {
  RY_CHECK(row < rows() && begin >= Picoseconds::zero() && begin <= end, "amounts belong to a row and a span of time");
  if (begin == end) return;
  while ((end - Picoseconds(1)) / width_ >= static_cast<std::int64_t>(kBins)) widen();
  double* const bins = amounts_.data() + row * kBins;
  const auto first = static_cast<std::size_t>(begin / width_), last = static_cast<std::size_t>((end - Picoseconds(1)) / width_);
  used_ = std::max(used_, last + 1);
  const auto start_of = [&](std::size_t bin) { return width_ * static_cast<std::int64_t>(bin); };
  bins[first] += rate * seconds(std::min(end, start_of(first + 1)) - begin);
  if (first == last) return;
  const double whole = rate * seconds(width_);
  for (std::size_t bin = first + 1; bin < last; bin++) bins[bin] += whole;
  bins[last] += rate * seconds(end - start_of(last));
}

}  // namespace railyard
