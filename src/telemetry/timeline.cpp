#include "telemetry/timeline.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace railyard {

std::vector<double> Timeline::row(std::size_t row) const {
  std::vector<double> bins(amounts_.begin() + static_cast<std::ptrdiff_t>(row * kBins),
                           amounts_.begin() + static_cast<std::ptrdiff_t>(row * kBins + used_));
  std::int64_t rate = 0;
  for (std::size_t i = 0; i < used_; i++) {
    rate += steps_[row * kBins + i];
    bins[i] += static_cast<double>(rate) * seconds(width_);
  }
  return bins;
}

void Timeline::grow(std::size_t rows) {
  RY_CHECK(rows >= this->rows(), "rows are added to a timeline, and stay");
  amounts_.resize(rows * kBins, 0.0);
  steps_.resize(rows * kBins, 0);
}

void Timeline::widen() {
  for (std::size_t row = 0; row < rows(); row++) {
    std::vector<double> bins = this->row(row);
    bins.resize(kBins, 0.0);
    double* const joined = amounts_.data() + row * kBins;
    for (std::size_t i = 0; i < kBins / 2; i++) joined[i] = bins[2 * i] + bins[2 * i + 1];
    std::fill(joined + kBins / 2, joined + kBins, 0.0);
  }
  std::fill(steps_.begin(), steps_.end(), 0);
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
  bins[last] += rate * seconds(end - start_of(last));
  const std::int64_t units = std::llround(rate);
  steps_[row * kBins + first + 1] += units;
  steps_[row * kBins + last] -= units;
}

}  // namespace railyard
