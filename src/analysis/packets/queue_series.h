// Queues, pauses and rates over time, of the ports where most happened.
#pragma once

#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "telemetry/packets.h"

namespace railyard {

/// One port over time, a value for every sample.
struct QueueLine {
  std::string name;
  double capacity_gbps = 0;
  std::vector<double> gbps, backlog, paused;  // on the wire; bytes; share of the time
  std::vector<std::uint32_t> marked;          // packets
};

struct QueueSeries {
  double interval_us = 0;
  std::vector<double> at_us;                        // the end of each sample
  std::vector<QueueLine> lines;                     // deepest queues first, then those paused longest
  std::vector<std::uint32_t> active;                // queue pairs with something to send
  std::vector<double> allowed_gbps, allowed_least;  // what congestion control lets them: mean and least
};

/// Up to `most` ports by their deepest queue and as many by how long they were paused, over the first `time` of the run: what
/// comes after are timers of NICs.
QueueSeries queue_series(const Fabric& fabric, const PacketRecord& packets, Picoseconds time, std::size_t most);

}  // namespace railyard
