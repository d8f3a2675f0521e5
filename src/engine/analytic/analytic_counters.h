// What the analytic engine tells of what it put on links, at its end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/large_array.h"
#include "engine/analytic/analytic_paths.h"
#include "telemetry/telemetry.h"

namespace railyard {

class AnalyticCounters {
 public:
  AnalyticCounters(const AnalyticPaths& paths, Telemetry& telemetry) : paths_(paths), telemetry_(telemetry) {}

  /// So much takes a path. Mostly as much as the last time, and then it is no more than counted.
  void count(std::uint32_t path, Bytes wire) {
    if (counted_.size() <= path) counted_.resize(paths_.size());
    Counted& counted = counted_[path];
    if (counted.wire != wire || counted.times == kMostTimes) {
      if (counted.times > 0) sent_for_.resize(paths_.size());
      tell(path);
      counted.wire = wire;
    }
    counted.times++;
  }

  /// Links are going to change their rates.
  void tell_at_these_rates() {
    if (counted_.empty()) return;
    sent_for_.resize(paths_.size());
    tell();
  }

  /// Tells of all that was counted.
  void tell() {
    for (std::uint32_t path = 0; path < counted_.size(); path++) tell(path);
  }

 private:
  static constexpr std::uint32_t kMostTimes = 0xFFFFFFFF;
  struct Counted {
    Bytes wire;  // of each
    std::uint32_t times = 0;
  };
  static_assert(sizeof(Counted) == 16, "an all-to-all has one for every pair");

  void tell(std::uint32_t path) {
    const auto [wire, times] = std::exchange(counted_[path], {});
    if (times == 0) return;
    const bool ports = paths_.links_are_ports();
    for (const PathHop& step : paths_.steps(path)) {
      const Bytes size = share_of(wire, step.share) * times;
      telemetry_.trunk_carried[step.trunk] += size;
      if (ports) telemetry_.port_carried[PortId(step.link)] += size;
    }
    const PathHop narrowest = paths_.narrowest(path);
    Picoseconds sent_for = time_of(share_of(wire, narrowest.share), paths_.rate(narrowest.link)) * times;
    if (path < sent_for_.size()) sent_for = sent_for_[path] += sent_for;
    Picoseconds& longest = telemetry_.trunk_path_time[narrowest.trunk];
    longest = std::max(longest, sent_for);
  }

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
  LargeArray<Counted> counted_;       // by path, since it was told
  LargeArray<Picoseconds> sent_for_;  // by path: all its messages on the slowest link; empty while each has sizes of one kind
};

}  // namespace railyard
