// The middle of a few values.
#pragma once

#include <algorithm>
#include <vector>

namespace railyard {

/// The upper of the two in the middle, where there are two. REQUIRES: not empty.
inline double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace railyard
