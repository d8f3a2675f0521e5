// Counters as switches and NICs have them: PFC by port and priority, notifications and disorder by NIC, time in queues.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "telemetry/packets.h"

namespace railyard {

/// PFC at one port and priority, where there was any.
struct PriorityRow {
  std::string port;
  std::uint32_t priority = 0;
  std::uint64_t sent = 0, received = 0;  // pauses that it sent to the other end of its link; that stopped it
  std::uint64_t transitions = 0;         // times that it was let go on
  double paused_us = 0;
};

/// A NIC where any of this is not zero.
struct NicRow {
  std::string nic;
  std::uint64_t cnp_sent = 0, cnp_handled = 0, marked = 0, out_of_sequence = 0;
  std::uint64_t naks_sent = 0, timeouts = 0, retransmissions = 0;
};

/// Time that data packets spent in queues of switches. Those that found the wire free are the first bucket.
struct WaitBucket {
  double from_ns = 0, to_ns = 0;  // from <= time < to; both 0: no time at all
  std::uint64_t packets = 0;
};

/// Quantiles are the upper ends of their buckets, which double: known to a factor of two, from above.
struct WaitSpread {
  std::uint64_t packets = 0;
  double p50_ns = 0, p90_ns = 0, p99_ns = 0, p999_ns = 0;
  std::vector<WaitBucket> buckets = {};
};

struct CounterResults {
  std::vector<PriorityRow> priorities = {};  // by port and priority
  std::vector<NicRow> nics = {};             // by number
  std::uint64_t priorities_left_out = 0, nics_left_out = 0;
  WaitSpread waits = {};
};

/// `most` rows of each kind.
CounterResults counter_results(const Fabric& fabric, const PacketRecord& packets, std::size_t most);

WaitSpread wait_spread(const PacketRecord& packets);

}  // namespace railyard
