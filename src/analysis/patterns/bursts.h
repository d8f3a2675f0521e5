// How bursty a rate over time is, at several resolutions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/packets/traffic_results.h"
#include "analysis/patterns/rate_steps.h"

namespace railyard {

/// A rate in bins of one width. A bin is busy if its mean rate is above 1 % of the capacity; a burst is busy bins in a row, and
/// a gap what lies between two bursts.
struct Burstiness {
  double resolution_s = 0;
  double mean_gbps = 0, peak_gbps = 0;  // over everything; of the fullest bin
  double peak_to_mean = 0, duty_cycle = 0;
  std::uint64_t bursts = 0;
  TimeSpread burst_s = {}, gap_s = {};
  std::optional<double> period_s = {};  // none where nothing repeats, or finer than two bins
  double period_strength = 0;           // correlation of the rate with itself one period later
};
Burstiness burstiness(const std::vector<RateStep>& steps, double capacity_bps, Picoseconds resolution);

/// How far apart a rate resembles itself most.
struct Period {
  Picoseconds time;
  double strength = 0;  // correlation, up to 1
};

/// The shortest lag whose correlation is a peak within 5 % of the highest, if that is at least 0.3. Looks at no more than 8,192
/// bins, which are no narrower than `finest`, and at lags up to half of the time.
std::optional<Period> period_of(const std::vector<RateStep>& steps, Picoseconds finest);

/// Correlation of a series with itself at lags 0 … n / 2, each over the values that overlap; empty where it does not vary.
std::vector<double> autocorrelation(const std::vector<double>& values);

}  // namespace railyard
