// A rate over time as a step function, and what it is in bins of any width.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/patterns/wire_traffic.h"

namespace railyard {

/// From `at` to the next step.
struct RateStep {
  Picoseconds at;
  double bps = 0;
};

/// The sum of all spans, from 0 to `until`, where the last step is.
std::vector<RateStep> rate_steps(const std::vector<RateSpan>& spans, Picoseconds until);

/// Bins in a row that all have the same mean rate.
struct BinRun {
  double bps = 0;
  std::uint64_t bins = 0;
};

/// The mean rates of all bins of `width` from 0 to the last step; the last bin counts as a whole one. Takes time per step, not
/// per bin.
std::vector<BinRun> bin_runs(const std::vector<RateStep>& steps, Picoseconds width);

/// Mean rates by row and bin: `bins` of them of `width`, from `from` on.
std::vector<std::vector<double>> stacked_bins(const std::vector<RateSpan>& spans, std::size_t rows, Picoseconds from,
                                              Picoseconds width, std::size_t bins);

}  // namespace railyard
