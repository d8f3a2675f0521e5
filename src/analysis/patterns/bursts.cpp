#include "analysis/patterns/bursts.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace railyard {

namespace {

constexpr double kBusy = 0.01;  // of the capacity
constexpr std::int64_t kMostBins = 8192;
constexpr double kAlike = 0.95, kWeakest = 0.3;

using Complex = std::complex<double>;

/// In place; the size is a power of two.
void transform(std::vector<Complex>& values) {
  const std::size_t n = values.size();
  for (std::size_t i = 1, j = 0; i < n; i++) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
  }
  std::vector<Complex> roots(n / 2);
  for (std::size_t i = 0; i < n / 2; i++)
    roots[i] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
  for (std::size_t length = 2; length <= n; length *= 2)
    for (std::size_t start = 0; start < n; start += length)
      for (std::size_t i = 0; i < length / 2; i++) {
        const Complex even = values[start + i], odd = values[start + i + length / 2] * roots[i * (n / length)];
        values[start + i] = even + odd;
        values[start + i + length / 2] = even - odd;
      }
}

/// Lengths of what is busy, and of what lies between.
struct Lengths {
  std::vector<double> bursts, gaps;
  std::uint64_t busy_bins = 0;
};

Lengths lengths_of(const std::vector<BinRun>& runs, double threshold, double width) {
  Lengths lengths;
  std::uint64_t burst = 0, gap = 0;
  for (const BinRun& run : runs) {
    if (run.bps > threshold) {
      if (burst == 0 && gap > 0 && !lengths.bursts.empty()) lengths.gaps.push_back(static_cast<double>(gap) * width);
      burst += run.bins, gap = 0;
      lengths.busy_bins += run.bins;
      continue;
    }
    if (burst > 0) lengths.bursts.push_back(static_cast<double>(burst) * width);
    burst = 0, gap += run.bins;
  }
  if (burst > 0) lengths.bursts.push_back(static_cast<double>(burst) * width);
  return lengths;
}

}  // namespace

Burstiness burstiness(const std::vector<RateStep>& steps, double capacity_bps, Picoseconds resolution) {
  Burstiness b{.resolution_s = seconds(resolution)};
  const Picoseconds time = steps.back().at;
  if (time == Picoseconds::zero()) return b;
  double bits = 0;
  for (std::size_t i = 0; i + 1 < steps.size(); i++) bits += steps[i].bps * seconds(steps[i + 1].at - steps[i].at);
  const std::vector<BinRun> runs = bin_runs(steps, resolution);
  std::uint64_t bins = 0;
  for (const BinRun& run : runs) {
    bins += run.bins;
    b.peak_gbps = std::max(b.peak_gbps, run.bps / 1e9);
  }
  b.mean_gbps = bits / seconds(time) / 1e9;
  b.peak_to_mean = b.mean_gbps > 0 ? b.peak_gbps / b.mean_gbps : 0;
  Lengths lengths = lengths_of(runs, capacity_bps * kBusy, b.resolution_s);
  b.duty_cycle = static_cast<double>(lengths.busy_bins) / static_cast<double>(bins);
  b.bursts = lengths.bursts.size();
  b.burst_s = spread_of(std::move(lengths.bursts));
  b.gap_s = spread_of(std::move(lengths.gaps));
  return b;
}

std::vector<double> autocorrelation(const std::vector<double>& values) {
  const std::size_t n = values.size();
  double mean = 0, variance = 0;
  for (const double value : values) mean += value / static_cast<double>(n);
  for (const double value : values) variance += (value - mean) * (value - mean) / static_cast<double>(n);
  if (n < 4 || variance <= 1e-18 * mean * mean) return {};
  std::size_t size = 1;
  while (size < 2 * n) size *= 2;
  std::vector<Complex> spectrum(size, 0);
  for (std::size_t i = 0; i < n; i++) spectrum[i] = values[i] - mean;
  transform(spectrum);
  for (Complex& one : spectrum) one = std::norm(one);
  transform(spectrum);
  std::vector<double> correlation(n / 2 + 1);
  for (std::size_t lag = 0; lag < correlation.size(); lag++)
    correlation[lag] = spectrum[lag].real() / static_cast<double>(size) / static_cast<double>(n - lag) / variance;
  return correlation;
}

std::optional<Period> period_of(const std::vector<RateStep>& steps, Picoseconds finest) {
  const Picoseconds time = steps.back().at;
  if (time <= finest * 8) return std::nullopt;
  const std::int64_t joined = ((time.count() + finest.count() - 1) / finest.count() + kMostBins - 1) / kMostBins;
  const Picoseconds width = finest * joined;
  std::vector<double> values;
  for (const BinRun& run : bin_runs(steps, width)) values.insert(values.end(), run.bins, run.bps);
  const std::vector<double> correlation = autocorrelation(values);
  // The lobe around lag 0 says how long bursts last; peaks behind it, how far apart they are.
  std::size_t first = 1;
  while (first < correlation.size() && correlation[first] > 0) first++;
  const auto is_peak = [&](std::size_t lag) {
    return correlation[lag] >= correlation[lag - 1] && correlation[lag] >= correlation[lag + 1];
  };
  double highest = 0;
  for (std::size_t lag = first; lag + 1 < correlation.size(); lag++)
    if (is_peak(lag)) highest = std::max(highest, correlation[lag]);
  if (highest < kWeakest) return std::nullopt;
  for (std::size_t lag = first; lag + 1 < correlation.size(); lag++)
    if (is_peak(lag) && correlation[lag] >= kAlike * highest)
      return Period{width * static_cast<std::int64_t>(lag), std::min(1.0, correlation[lag])};
  return std::nullopt;
}

}  // namespace railyard
