// What a run of the packet engine will need in memory, estimated before it starts.
#pragma once

#include <cstdint>

#include "base/diagnostic.h"
#include "engine/wire.h"
#include "fabric/fabric.h"
#include "plan/scenario.h"

namespace railyard {

inline constexpr Bytes kMemoryLimit = 16_GiB;

/// How much there is to do.
struct TrafficAmount {
  std::uint64_t messages = 0, packets = 0;  // the latter of all messages together
  std::uint64_t queue_pairs = 0;
  bool switches_choose = false;  // a port for every packet or flowlet: they have tables of next hops
};

/// Upper bounds, rounded up: what a part costs is what engine and results keep of it (docs/models.md, memory of packets).
struct MemoryEstimate {
  Bytes ports, queue_pairs, messages;
  Bytes packets;  // as many as there are, or as fit into all buffers and onto all links
  [[nodiscard]] Bytes total() const { return ports + queue_pairs + messages + packets; }
};
MemoryEstimate packet_memory(const Fabric& fabric, const WireFormat& wire, const PacketPlan& plan, const TrafficAmount& amount);

/// An error, with what needs most, if that is more than `limit`.
Diagnostics too_much_memory(const Scenario& scenario, const MemoryEstimate& estimate, Bytes limit);

}  // namespace railyard
