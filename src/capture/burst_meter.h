// How bursty the frames of one interface are, in bins of one width, without keeping the bins.
#pragma once

#include <cstdint>

#include "base/stats.h"
#include "base/units.h"

namespace railyard {

/// A bin is busy if its mean rate is above 1 % of the link's, as for runs; where the rate is not known, if there is anything in
/// it. A burst is busy bins in a row, a gap what lies between two bursts.
class BurstMeter {
 public:
  BurstMeter(std::int64_t width_ns, BitsPerSecond rate);

  /// REQUIRES: frames come by time; one that is earlier counts for the bin that is open.
  void add(std::int64_t at_ns, std::uint64_t bytes);
  /// No more frames.
  void finish();

  [[nodiscard]] std::int64_t width_ns() const { return width_ns_; }
  [[nodiscard]] double peak_bps() const;
  [[nodiscard]] double mean_bps() const;  // over all bins from the first frame to the last
  [[nodiscard]] double duty_cycle() const;
  [[nodiscard]] const Histogram& burst_bins() const { return bursts_; }
  [[nodiscard]] const Histogram& gap_bins() const { return gaps_; }

 private:
  void close(std::int64_t next);

  std::int64_t width_ns_;
  double busy_bytes_;  // more than so many make a bin busy
  std::int64_t first_ = 0, bin_ = 0, since_ = 0, idle_since_ = 0;
  bool has_begun_ = false, is_burst_ = false;
  std::uint64_t bytes_ = 0, all_bytes_ = 0, peak_bytes_ = 0, busy_ = 0, bins_ = 0;
  Histogram bursts_, gaps_;
};

}  // namespace railyard
