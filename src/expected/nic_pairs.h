// What perftest should give between two NICs of the scenario's network: near and far, rate and latency, alone on the fabric.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/id.h"
#include "fabric/fabric.h"
#include "plan/scenario.h"

namespace railyard {

/// Two NICs of one rail in different servers, and all pairs that are as far apart.
struct NicPair {
  std::string name;  // "same-leaf", "across-leaves", "across-pods"
  EndpointId from, to;
  std::uint32_t switches = 0;  // on the way
  double rate = 0;             // bytes per second of large messages with deep queues, over one port of the NIC
  double latency_s = 0;        // of a small message, one way
};

/// Nearest first; of each distance one. Empty where servers have no NIC that perftest runs on, or where there is one server.
/// A network drawn by hand has one, of two servers: "any".
[[nodiscard]] std::vector<NicPair> nic_pairs(const Scenario& scenario, const Fabric& fabric);

/// The first GPU of a server.
[[nodiscard]] inline EndpointId first_of_server(const Fabric& fabric, std::uint32_t server) {
  return EndpointId(server * fabric.per_node);
}
[[nodiscard]] inline std::uint32_t servers_of(const Fabric& fabric) { return fabric.endpoints() / fabric.per_node; }

}  // namespace railyard
