#include "base/stats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace railyard {

void Moments::add(double value) {
  min_ = count_ ? std::min(min_, value) : value;
  max_ = count_ ? std::max(max_, value) : value;
  count_++;
  const double step = value - mean_;
  mean_ += step / static_cast<double>(count_);
  square_ += step * (value - mean_);
}

double Moments::variance() const { return count_ ? square_ / static_cast<double>(count_) : 0; }

void Quantiles::add(std::int64_t value) {
  sorted_ = sorted_ && (values_.empty() || values_.back() <= value);
  values_.push_back(value);
}

std::int64_t Quantiles::at(double q) const {
  RY_CHECK(!values_.empty(), "a quantile is asked of at least one value");
  RY_CHECK(q >= 0 && q <= 1, "a quantile lies between 0 and 1");
  if (!sorted_) std::sort(values_.begin(), values_.end());
  sorted_ = true;
  const double rank = std::ceil(q * static_cast<double>(values_.size()) - 1e-9);  // 0.55 * 100 is a little more than 55
  return values_[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

std::size_t Histogram::bucket_of(std::uint64_t value) {
  if (value < (1U << kFraction)) return value;
  const int shift = static_cast<int>(std::bit_width(value)) - 1 - kFraction;
  return (static_cast<std::size_t>(shift) << kFraction) + (value >> shift);
}

std::int64_t Histogram::lower_edge(std::size_t bucket) {
  if (bucket < (2U << kFraction)) return static_cast<std::int64_t>(bucket);
  const std::size_t shift = (bucket >> kFraction) - 1;
  const std::uint64_t leading = (bucket & ((1U << kFraction) - 1)) | 1U << kFraction;
  return shift < 60 ? static_cast<std::int64_t>(leading << shift) : std::numeric_limits<std::int64_t>::max();
}

void Histogram::add(std::int64_t value, std::uint64_t times) {
  RY_CHECK(value >= 0, "a histogram counts values that are not negative");
  min_ = count_ ? std::min(min_, value) : value;
  max_ = count_ ? std::max(max_, value) : value;
  counts_[bucket_of(static_cast<std::uint64_t>(value))] += times;
  count_ += times;
}

std::vector<Histogram::Bucket> Histogram::buckets() const {
  std::vector<Bucket> filled;
  for (std::size_t i = 0; i < counts_.size(); i++)
    if (counts_[i] != 0) filled.push_back({lower_edge(i), lower_edge(i + 1), counts_[i]});
  return filled;
}

}  // namespace railyard
