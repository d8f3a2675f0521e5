// What the analytic engine tells of what it put on links.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/large_array.h"
#include "engine/analytic/analytic_paths.h"
#include "telemetry/telemetry.h"

namespace railyard {

class AnalyticCounters {
 public:
  AnalyticCounters(const AnalyticPaths& paths, Telemetry& telemetry) : paths_(paths), telemetry_(telemetry) {}

  /// So much takes a path.
  void count(std::uint32_t path, Bytes wire) {
    const bool ports = paths_.links_are_ports();
    for (const PathHop& step : paths_.steps(path)) {
      const Bytes size = share_of(wire, step.share);
      telemetry_.trunk_carried[step.trunk] += size;
      if (ports) telemetry_.port_carried[PortId(step.link)] += size;
    }
    if (sent_for_.size() <= path) sent_for_.resize(paths_.size());
    const PathHop narrowest = paths_.narrowest(path);
    Picoseconds& longest = telemetry_.trunk_path_time[narrowest.trunk];
    sent_for_[path] += time_of(share_of(wire, narrowest.share), paths_.rate(narrowest.link));
    longest = std::max(longest, sent_for_[path]);
  }

 private:
  /// Messages of a collective mostly take as long as the last one.
  [[nodiscard]] Picoseconds time_of(Bytes size, BitsPerSecond rate) {
    if (size != last_size_ || rate != last_rate_) {
      last_time_ = transmit_time(size, rate);
      last_size_ = size;
      last_rate_ = rate;
    }
    return last_time_;
  }

  const AnalyticPaths& paths_;
  Telemetry& telemetry_;
  Bytes last_size_;
  BitsPerSecond last_rate_;
  Picoseconds last_time_;
  LargeArray<Picoseconds> sent_for_;  // by path: all its messages on the slowest link
};

}  // namespace railyard
