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

/// What happened at one port between one sample and the next, where anything did. Of a NIC's port: at its NIC, too.
struct PortEvents {
  PortId port;
  std::uint32_t pauses = 0, pauses_sent = 0;  // that stopped it; that it has sent
  std::uint32_t dropped = 0;                  // packets that should have left here
  std::uint32_t cnp_sent = 0, cnp_handled = 0, marked_in = 0, out_of_sequence = 0;

  [[nodiscard]] bool any() const {
    return (pauses | pauses_sent | dropped | cnp_sent | cnp_handled | marked_in | out_of_sequence) != 0;
  }
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
  std::vector<std::size_t> first_event = {};  // by sample, and their number: into these
  std::vector<PortEvents> events = {};        // by sample, then by port

  [[nodiscard]] const PortSample& sample(std::size_t index, PortId port) const { return samples[index * ports + port.index()]; }
};

}  // namespace railyard
