#include "analysis/patterns/over_time.h"

#include <algorithm>

namespace railyard {

namespace {

constexpr Picoseconds kMoment = 1000_us;

OverTime stacked(const std::vector<RateSpan>& spans, const std::vector<std::string>& names, Picoseconds from, Picoseconds width,
                 std::size_t bins) {
  OverTime result{.from_s = seconds(from), .bin_s = seconds(width), .rows = {}};
  std::vector<std::vector<double>> rates = stacked_bins(spans, names.size(), from, width, bins);
  for (std::size_t row = 0; row < names.size(); row++) {
    if (std::all_of(rates[row].begin(), rates[row].end(), [](double rate) { return rate <= 0; })) continue;
    for (double& rate : rates[row]) rate /= 1e9;
    result.rows.push_back({names[row], std::move(rates[row])});
  }
  return result;
}

}  // namespace

OverTime over_time(const std::vector<RateSpan>& spans, const std::vector<std::string>& names, Picoseconds until,
                   std::size_t bins) {
  const auto count = static_cast<std::int64_t>(bins);
  return stacked(spans, names, Picoseconds::zero(), Picoseconds(std::max<std::int64_t>(1, (until.count() + count - 1) / count)),
                 bins);
}

OverTime excerpt_of(const std::vector<RateSpan>& spans, const std::vector<std::string>& names,
                    const std::vector<RateStep>& steps, Picoseconds width, std::size_t bins) {
  const Picoseconds until = steps.back().at, span = width * static_cast<std::int64_t>(bins);
  Picoseconds at, fullest;
  double most = 0;
  for (const BinRun& run : bin_runs(steps, kMoment)) {
    if (run.bps > most) most = run.bps, fullest = at;
    at += kMoment * static_cast<std::int64_t>(run.bins);
  }
  if (until <= span) {
    const std::int64_t needed = (until.count() + width.count() - 1) / width.count();
    return stacked(spans, names, Picoseconds::zero(), width, static_cast<std::size_t>(std::max<std::int64_t>(1, needed)));
  }
  const Picoseconds middle = fullest + kMoment / 2;
  const Picoseconds from = std::clamp(middle - span / 2, Picoseconds::zero(), until - span);
  return stacked(spans, names, width * (from / width), width, bins);
}

}  // namespace railyard
