#include "analysis/patterns/rate_steps.h"

#include <algorithm>

#include "base/check.h"

namespace railyard {

namespace {

struct Change {
  Picoseconds at;
  double bps;
  int calls;
};

/// Collects bins, joining those that are alike.
class Runs {
 public:
  void add(double bps, std::uint64_t bins) {
    if (bins == 0) return;
    if (!runs_.empty() && runs_.back().bps == bps)
      runs_.back().bins += bins;
    else
      runs_.push_back({bps, bins});
  }
  [[nodiscard]] std::vector<BinRun> take() { return std::move(runs_); }

 private:
  std::vector<BinRun> runs_;
};

}  // namespace

std::vector<RateStep> rate_steps(const std::vector<RateSpan>& spans, Picoseconds until) {
  std::vector<Change> changes;
  changes.reserve(spans.size() * 2);
  for (const RateSpan& span : spans) {
    changes.push_back({span.begin, span.bps, 1});
    changes.push_back({std::min(span.end, until), -span.bps, -1});
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
  std::vector<RateStep> steps = {{Picoseconds::zero(), 0}};
  double bps = 0;
  int calls = 0;
  for (const Change& change : changes) {
    calls += change.calls;
    bps = calls == 0 ? 0 : std::max(0.0, bps + change.bps);  // what ends leaves nothing behind
    if (steps.back().at == change.at)
      steps.back().bps = bps;
    else
      steps.push_back({change.at, bps});
  }
  if (steps.back().at < until) steps.push_back({until, 0});
  return steps;
}

std::vector<BinRun> bin_runs(const std::vector<RateStep>& steps, Picoseconds width) {
  RY_CHECK(width > Picoseconds::zero(), "bins have a width");
  Runs runs;
  double bits = 0;     // of the bin at hand
  Picoseconds filled;  // of it
  for (std::size_t i = 0; i + 1 < steps.size(); i++) {
    Picoseconds left = steps[i + 1].at - steps[i].at;
    if (filled > Picoseconds::zero()) {
      const Picoseconds part = std::min(left, width - filled);
      bits += steps[i].bps * seconds(part);
      filled += part, left -= part;
      if (filled < width) continue;
      runs.add(bits / seconds(width), 1);
      bits = 0, filled = Picoseconds::zero();
    }
    const std::int64_t whole = left / width;
    runs.add(steps[i].bps, static_cast<std::uint64_t>(whole));
    filled = left - width * whole;
    bits = steps[i].bps * seconds(filled);
  }
  if (filled > Picoseconds::zero()) runs.add(bits / seconds(width), 1);
  return runs.take();
}

std::vector<std::vector<double>> stacked_bins(const std::vector<RateSpan>& spans, std::size_t rows, Picoseconds from,
                                              Picoseconds width, std::size_t bins) {
  // Of the bins that a span covers as a whole only the first and the one behind the last hear of it.
  std::vector<std::vector<double>> rates(rows, std::vector<double>(bins, 0)), changes(rows, std::vector<double>(bins + 1, 0));
  std::vector<std::vector<std::int32_t>> covering(rows, std::vector<std::int32_t>(bins + 1, 0));
  const Picoseconds to = from + width * static_cast<std::int64_t>(bins);
  for (const RateSpan& span : spans) {
    const Picoseconds begin = std::max(span.begin, from) - from, end = std::min(span.end, to) - from;
    if (end <= begin) continue;
    const auto first = static_cast<std::size_t>(begin / width), last = static_cast<std::size_t>((end - Picoseconds(1)) / width);
    const auto part = [&](Picoseconds time) { return span.bps * seconds(time) / seconds(width); };
    if (first == last) {
      rates[span.row][first] += part(end - begin);
      continue;
    }
    rates[span.row][first] += part(width * static_cast<std::int64_t>(first + 1) - begin);
    rates[span.row][last] += part(end - width * static_cast<std::int64_t>(last));
    changes[span.row][first + 1] += span.bps;
    changes[span.row][last] -= span.bps;
    covering[span.row][first + 1]++;
    covering[span.row][last]--;
  }
  for (std::size_t row = 0; row < rows; row++) {
    double rate = 0;
    std::int32_t spans_here = 0;
    for (std::size_t bin = 0; bin < bins; bin++) {
      spans_here += covering[row][bin];
      rate = spans_here == 0 ? 0 : rate + changes[row][bin];
      rates[row][bin] += rate;
    }
  }
  return rates;
}

}  // namespace railyard
