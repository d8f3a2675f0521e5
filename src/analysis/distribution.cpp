#include "analysis/distribution.h"

#include <algorithm>
#include <cmath>

namespace railyard {

std::vector<CdfPoint> cdf_of(std::vector<double> values) {
  constexpr std::size_t kPercents = 100;
  std::vector<CdfPoint> points;
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  if (values.size() <= kPercents) {
    for (std::size_t i = 0; i < values.size(); i++) points.push_back({static_cast<double>(i + 1) / count, values[i]});
    return points;
  }
  const auto add = [&](double share) {
    const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(share * count - 1e-9)));
    points.push_back({share, values[rank - 1]});
  };
  for (std::size_t percent = 1; percent < kPercents; percent++) add(static_cast<double>(percent) / 100);
  for (const double share : {0.999, 0.9999, 1.0}) add(share);
  return points;
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
