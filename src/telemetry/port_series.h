// What ports did over time, in bounded memory: samples that come further apart as a run grows longer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/id.h"
#include "base/units.h"

namespace railyard {

/// One port between one sample and the next.
struct PortSample {
  std::uint64_t bytes = 0;    // that left on the wire
  std::uint32_t backlog = 0;  // at its end; of several samples that were joined, the largest
  std::uint32_t marked = 0;   // packets
  Picoseconds paused;         // sum over classes
};

/// Rates that congestion control allows the queue pairs that have something to send.
struct RateSample {
  std::uint32_t active = 0;  // queue pairs
  double mean_bps = 0, least_bps = 0;
};

/// Samples of all ports at the same instants, about as far apart as `interval`.
struct PortSeries {
  Picoseconds interval;
  std::vector<Picoseconds> at;      // the end of each sample
  std::vector<RateSample> rates;    // by sample
  std::vector<PortSample> samples;  // by sample and port
  std::size_t ports = 0;

  [[nodiscard]] const PortSample& sample(std::size_t index, PortId port) const { return samples[index * ports + port.index()]; }
};

}  // namespace railyard
