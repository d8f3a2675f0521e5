#include "sim/packet_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/quantity_text.h"

namespace railyard {

namespace {

// Bytes that engine and results together keep.
constexpr Bytes kBase = 30_MiB;            // the program, its catalog and what is not counted below
constexpr std::int64_t kPort = 4096;       // queues, counters, thresholds, samples; as 8,192 hosts were seen to need at most
constexpr std::int64_t kQueuePair = 1088;  // both ends, with congestion control, paths, what was posted and what results keep
constexpr std::int64_t kNextHop = 12;      // an entry of four, in an array that doubles
constexpr std::int64_t kNumbers = 2048;    // which packets have come, where they may come in any order
constexpr std::int64_t kMessage = 232;     // as planned, posted, in flight, recorded
constexpr std::int64_t kPacket = 128;      // a slot of 64, in rings that double

/// Packets that buffers and links hold at once.
double room_for_packets(const Fabric& fabric, const WireFormat& wire, const PacketPlan& plan) {
  const auto packet = static_cast<double>((wire.mtu + wire.header).count());
  double bytes = 0;
  for (const NodeId node : ids(fabric.kind))
    if (fabric.kind[node] != NodeKind::host) bytes += static_cast<double>(plan.buffer.size.count());
  for (const TrunkId trunk : ids(fabric.trunk_tier))
    bytes += seconds(fabric.trunk_delay[trunk]) * static_cast<double>(fabric.trunk_rate(trunk).count()) / 8;
  return bytes / packet + static_cast<double>(fabric.port_from.size());
}

/// Entries of the tables by which switches choose: for every node and leaf, and every port that may be chosen.
double next_hops(const Fabric& fabric) {
  double between = 0, leaves = 0;
  for (const PortId port : ids(fabric.port_from)) {
    const bool from_host = fabric.kind[fabric.port_from[port]] == NodeKind::host;
    if (!from_host && fabric.kind[fabric.port_to[port]] != NodeKind::host) between++;
  }
  if (fabric.drawn)
    leaves = fabric.interfaces;
  else
    for (const BlockId leaf : fabric.leaf) leaves = std::max(leaves, static_cast<double>(leaf.index()) + 1);
  return leaves * (static_cast<double>(fabric.kind.size()) / 2 + between / 2);
}

}  // namespace

MemoryEstimate packet_memory(const Fabric& fabric, const WireFormat& wire, const PacketPlan& plan,
                             const TrafficAmount& amount) {
  const auto bytes = [](double count, std::int64_t each) {
    return Bytes(static_cast<std::int64_t>(std::min(count * static_cast<double>(each), 1e18)));
  };
  const bool any_order = plan.control.has_window() || plan.nic.recovery == LossRecovery::selective_repeat;
  return {.ports = kBase + bytes(static_cast<double>(fabric.port_from.size()), kPort) +
                   bytes(amount.switches_choose ? next_hops(fabric) : 0, kNextHop),
          .queue_pairs = bytes(static_cast<double>(amount.queue_pairs), kQueuePair + (any_order ? kNumbers : 0)),
          .messages = bytes(static_cast<double>(amount.messages), kMessage),
          .packets = bytes(std::min(static_cast<double>(amount.packets), room_for_packets(fabric, wire, plan)), kPacket)};
}

Diagnostics too_much_memory(const Scenario& scenario, const MemoryEstimate& estimate, Bytes limit) {
  if (estimate.total() <= limit) return {};
  const std::pair<Bytes, const char*> parts[] = {{estimate.ports, "ports"},
                                                 {estimate.queue_pairs, "queue pairs"},
                                                 {estimate.messages, "messages"},
                                                 {estimate.packets, "packets in flight"}};
  const auto most =
      std::max_element(std::begin(parts), std::end(parts), [](const auto& a, const auto& b) { return a.first < b.first; });
  return {{Severity::error, "RY-RUN-034",
           fmt::format("this run may need {} of memory ({} for {}); the limit is {}", format(estimate.total()),
                       format(most->first), most->second, format(limit)),
           fmt::format("use {:.0f} times fewer {}, or fidelity = \"flow\"",
                       std::ceil(static_cast<double>(estimate.total().count()) / static_cast<double>(limit.count())),
                       most->second == parts[3].second ? "messages, or smaller buffers" : most->second),
           scenario.keys.where("engine.fidelity")}};
}

}  // namespace railyard
