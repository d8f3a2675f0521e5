// Looks at all ports every now and then.
#pragma once

#include "engine/packet/network.h"
#include "telemetry/port_series.h"

namespace railyard::packet {

/// Keeps what ports did between samples. When there is no room for more, neighbours are joined and the interval doubles, so
/// that memory stays bounded and nothing is lost but detail.
class Sampler {
 public:
  explicit Sampler(const Network& network);

  /// When the next sample is due.
  [[nodiscard]] Time due() const { return due_; }

  /// Everything before `now` is done.
  void take(Time now);

  /// The same for what is left after the last sample, if anything is.
  void take_last(Time now) {
    if (now > 0 && (at_.empty() || now > at_.back())) take(now);
  }

  /// What was seen so far, ports by the fabric's ids.
  [[nodiscard]] PortSeries series(std::size_t ports) const;

 private:
  struct Before {
    std::uint64_t bytes = 0, marked = 0;
    Time paused = 0;
  };

  void join();

  const Network& network_;
  std::size_t most_;  // samples
  Time interval_, due_;
  std::vector<Before> before_;  // by port
  std::vector<Time> at_;
  std::vector<RateSample> rates_;
  std::vector<PortSample> samples_;  // by sample and port
};

}  // namespace railyard::packet
