// Traffic over time, stacked by what it is.
#pragma once

#include <string>
#include <vector>

#include "analysis/patterns/rate_steps.h"

namespace railyard {

struct OverTime {
  double from_s = 0, bin_s = 0;
  struct Row {
    std::string name;
    std::vector<double> gbps;  // by bin
  };
  std::vector<Row> rows;  // those that carried something in this time
};

/// From 0 to `until` in `bins` of equal width, rounded up to whole picoseconds.
OverTime over_time(const std::vector<RateSpan>& spans, const std::vector<std::string>& names, Picoseconds until,
                   std::size_t bins);

/// `bins` of `width` around the fullest millisecond; fewer where the whole time is shorter.
OverTime excerpt_of(const std::vector<RateSpan>& spans, const std::vector<std::string>& names,
                    const std::vector<RateStep>& steps, Picoseconds width, std::size_t bins);

}  // namespace railyard
