// What is too much for the packet engine, said before it starts; and why messages never arrived, said at the end.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/diagnostic.h"
#include "engine/engine.h"
#include "engine/wire.h"
#include "fabric/fabric.h"
#include "plan/scenario.h"
#include "telemetry/packets.h"

namespace railyard {

/// An error if a switch has more ports than the engine can number.
Diagnostics too_many_ports(const Scenario& scenario, const Fabric& fabric);

/// What one connection carries in all.
struct PairLoad {
  EndpointId from, to;
  Bytes bytes;
  std::uint64_t messages = 0;
};

/// How much there is to simulate.
struct PacketWork {
  double packets = 0, hops = 0;  // of data; every packet over every link
  double most_of_pair = 0;       // packets of one queue pair
  void add(const PacketWork& other);
};

/// Of connections that cross the network. `queue_pairs`: of each. The lengths of paths are those of a sample.
PacketWork packet_work(const Fabric& fabric, const WireFormat& wire, std::uint32_t queue_pairs,
                       std::span<const PairLoad> pairs);

/// An error, with an estimate and what would fit, if that takes hours or more numbers than packets have.
Diagnostics too_much_work(const Scenario& scenario, const PacketWork& work, const char* key);

/// Why messages never arrived, in a few words.
std::string why_undelivered(const Fabric& fabric, const PacketRecord& record);

}  // namespace railyard
