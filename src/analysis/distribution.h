// How values are distributed: the points of their cumulative distribution.
#pragma once

#include <vector>

#include "base/fine_histogram.h"
#include "base/stats.h"

namespace railyard {

/// A share of all values that are no larger than this one.
struct CdfPoint {
  double share = 0, value = 0;
};

/// Every percent from the first to the last, and 99.9 and 99.99 %, each the smallest value that at least that share of all
/// do not exceed (nearest rank); every value where there are no more than these. Empty without values.
std::vector<CdfPoint> cdf_of(std::vector<double> values);

/// The same of many values, times `unit`, each point to a two-thousandth.
std::vector<CdfPoint> cdf_of(const FineHistogram& values, double unit);

/// The upper ends of a histogram's buckets, times `unit`: the last is the largest value itself.
std::vector<CdfPoint> cdf_of(const Histogram& histogram, double unit);

}  // namespace railyard
