#include "analysis/distribution.h"

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

constexpr std::size_t kPercents = 100;

/// At every percent and the last of them more closely, where `value_at` a share of all is known.
template<class ValueAt>
std::vector<CdfPoint> points_of_shares(const ValueAt& value_at) {
  std::vector<CdfPoint> points;
  for (std::size_t percent = 1; percent < kPercents; percent++) {
    const double share = static_cast<double>(percent) / 100;
    points.push_back({share, value_at(share)});
  }
  for (const double share : {0.999, 0.9999, 1.0}) points.push_back({share, value_at(share)});
  return points;
}

}  // namespace

std::vector<CdfPoint> cdf_of(std::vector<double> values) {
  std::vector<CdfPoint> points;
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  if (values.size() <= kPercents) {
    for (std::size_t i = 0; i < values.size(); i++) points.push_back({static_cast<double>(i + 1) / count, values[i]});
    return points;
  }
  return points_of_shares(
      [&](double share) { return values[static_cast<std::size_t>(std::max(1.0, std::ceil(share * count - 1e-9))) - 1]; });
}

std::vector<CdfPoint> cdf_of(const FineHistogram& values, double unit) {
  if (values.count() == 0) return {};
  return points_of_shares([&](double share) { return values.at(share) * unit; });
}

std::vector<CdfPoint> cdf_of(const Histogram& histogram, double unit) {
  std::vector<CdfPoint> points;
  std::uint64_t seen = 0;
  for (const Histogram::Bucket& bucket : histogram.buckets()) {
    seen += bucket.count;
    points.push_back({static_cast<double>(seen) / static_cast<double>(histogram.count()),
                      static_cast<double>(std::min(bucket.to - 1, histogram.max())) * unit});
  }
  return points;
}

}  // namespace railyard
