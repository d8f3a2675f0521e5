// Synthetic traffic on a fabric, over any engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "sim/collective/network_rates.h"
#include "sim/packet_memory.h"
#include "sim/traffic/message_sums.h"
#include "sim/traffic/traffic.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// Of a trace: what its messages are part of, and its connections as the engine opened them.
struct TracedMessages {
  std::vector<std::string> rows;   // "send", "all_reduce (8 ranks)"
  std::vector<std::uint32_t> row;  // by message
  std::vector<std::pair<EndpointId, EndpointId>> opened;
};

/// Columns by message, in the order of their starts.
struct TrafficRun {
  std::vector<PlannedMessage> messages;
  std::vector<Picoseconds> delivered;     // last byte in the receiver's memory; without end if it never was
  std::vector<Picoseconds> acknowledged;  // last ACK at the sender; where an engine knows none, as delivered
  std::vector<Picoseconds> ideal;         // from start to delivery, alone on the fabric
  std::uint64_t connections = 0;          // one for each sender, receiver and class
  MemoryEstimate memory = {};             // of the packet engine
  Telemetry telemetry;
  std::optional<MessageSums> sums = {};  // instead of those columns, where there are too many messages
  TracedMessages traced = {};

  /// When the last message that arrives has done so; zero if none does.
  [[nodiscard]] Picoseconds end() const;
};

/// Plans the scenario's [traffic] and plays it: every message is posted before the first packet moves. Messages of one sender,
/// receiver and class share a connection, and are delivered in the order posted. What never arrives is refused, unless the
/// packet engine's record tells why. Refuses what plan_traffic() does, what takes longer than can be counted, and with packets
/// what may need more than `memory`.
Result<TrafficRun> run_traffic(const Scenario& scenario, const Network& network, const Placement& placement, Bytes memory,
                               Progress& progress);

/// What run_traffic() would refuse before it plays anything.
Diagnostics refused_traffic(const Scenario& scenario, const Network& network, const Placement& placement, Bytes memory);

/// An error if some messages never arrived, and why.
Diagnostics undelivered(const Scenario& scenario, const Fabric& fabric, const TrafficRun& run);

/// The time a message of `size` takes alone, from its start to the last byte in the receiver's memory: all of it crosses the
/// slowest link, and its first packet all the others. With several queue pairs, or where packets are spread, a link is all that
/// are equal choices; otherwise the fastest of them, where a drawing has unlike ones.
Picoseconds ideal_time(const Network& network, EndpointId from, EndpointId to, Bytes size);

}  // namespace railyard
