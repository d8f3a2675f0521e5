#include "base/fine_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/check.h"

namespace railyard {

namespace {

constexpr int kFineBits = 10;  // below the leading one, that choose the bucket

std::size_t fine_bucket(std::uint64_t value) {
  if (value < (std::uint64_t{1} << kFineBits)) return value;
  const int shift = static_cast<int>(std::bit_width(value)) - 1 - kFineBits;
  return (static_cast<std::size_t>(shift) << kFineBits) + (value >> shift);
}

/// Of the numbers that a bucket is for.
double middle_of(std::size_t bucket) {
  if (bucket < (std::size_t{2} << kFineBits)) return static_cast<double>(bucket);
  const int shift = static_cast<int>(bucket >> kFineBits) - 1;
  const std::size_t leading = (bucket & ((std::size_t{1} << kFineBits) - 1)) | std::size_t{1} << kFineBits;
  return std::ldexp(static_cast<double>(leading), shift) + (std::ldexp(1.0, shift) - 1) / 2;
}

}  // namespace

void FineHistogram::add(std::uint64_t value) {
  least_ = count_ > 0 ? std::min(least_, value) : value;
  most_ = std::max(most_, value);
  const std::size_t bucket = fine_bucket(value);
  if (bucket >= counts_.size()) counts_.resize(bucket + 1, 0);
  counts_[bucket]++;
  count_++;
}

double FineHistogram::at(double q) const {
  RY_CHECK(count_ > 0, "a quantile is asked of at least one value");
  RY_CHECK(q >= 0 && q <= 1, "a quantile lies between 0 and 1");
  const double rank = std::max(1.0, std::ceil(q * static_cast<double>(count_) - 1e-9));
  if (rank >= static_cast<double>(count_)) return static_cast<double>(most_);
  std::uint64_t seen = 0;
  std::size_t bucket = 0;
  for (; bucket < counts_.size(); bucket++)
    if (static_cast<double>(seen += counts_[bucket]) >= rank) break;
  return std::clamp(middle_of(bucket), static_cast<double>(least_), static_cast<double>(most_));
}

}  // namespace railyard
