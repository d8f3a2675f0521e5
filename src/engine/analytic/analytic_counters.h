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
    for (const PathHop& step : paths_.steps(path)) {
      const Bytes size = share_of(wire, step.share);
      telemetry_.trunk_carried[step.trunk] += size;
      if (paths_.links_are_ports()) telemetry_.port_carried[PortId(step.link)] += size;
    }
    if (sent_for_.size() <= path) sent_for_.resize(paths_.size());
    const PathHop narrowest = paths_.narrowest(path);
    Picoseconds& longest = telemetry_.trunk_path_time[narrowest.trunk];
    sent_for_[path] += transmit_time(share_of(wire, narrowest.share), paths_.rate(narrowest.link));
    longest = std::max(longest, sent_for_[path]);
  }

 private:
  const AnalyticPaths& paths_;
  Telemetry& telemetry_;
  LargeArray<Picoseconds> sent_for_;  // by path: all its messages on the slowest link
};

}  // namespace railyard
