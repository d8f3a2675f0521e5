// Counters of ports at the instants that metrics are written for.
#pragma once

#include <cstdint>
#include <vector>

#include "export/metric_set.h"
#include "telemetry/packets.h"

namespace railyard {

/// Sums of what was sampled. Points are at the ends of samples, or where there would be too many at every second one, every
/// third, …; nothing is lost but detail.
class PortHistory {
 public:
  struct Room {
    std::size_t series;  // that will be asked for, about
    std::size_t points;  // of all of them together, at most
  };
  /// What was sampled after `until` is counted then.
  PortHistory(const PacketRecord& packets, const MetricClock& clock, Picoseconds until, Room room);

  using Amount = double (*)(const PortSample&);

  /// From zero at the run's beginning to `last` at its end.
  [[nodiscard]] std::vector<MetricPoint> counter(PortId port, Amount amount, double last) const;
  [[nodiscard]] std::vector<MetricPoint> counter(PortId port, std::uint32_t PortEvents::*member, double last) const;

  /// The same, where nothing is known of what lies between.
  [[nodiscard]] std::vector<MetricPoint> total(double last) const;

  /// The same all the time.
  [[nodiscard]] std::vector<MetricPoint> constant(double value) const;

  /// The largest backlog since the point before.
  [[nodiscard]] std::vector<MetricPoint> backlog(PortId port) const;

 private:
  [[nodiscard]] bool is_point(std::size_t sample) const { return sample + 1 == at_.size() || (sample + 1) % stride_ == 0; }

  const PortSeries& series_;
  std::int64_t begin_ = 0;
  std::vector<std::int64_t> at_;  // by sample
  std::size_t stride_ = 1;
  std::vector<std::size_t> first_;        // by port, into these
  std::vector<std::uint32_t> of_port_;    // events, by port and time
  std::vector<std::uint32_t> sample_of_;  // by event
};

}  // namespace railyard
