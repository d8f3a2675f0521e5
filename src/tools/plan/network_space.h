// Networks that could carry a job: what they are made of, how they are wired, how thin they are above the leaves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "search/space.h"

namespace railyard {

/// What the first axis is called.
inline constexpr std::string_view kPartsAxis = "parts";

/// A transport with a switch and a NIC of the catalog that speak it at one rate.
struct NetworkParts {
  TransportKind transport = TransportKind::roce;
  std::string switch_model, nic;
  BitsPerSecond rate;
};

/// Parts that fit each other and the job's GPUs: the NIC of the scenario where it speaks the transport at that rate, else the
/// first of the catalog that does, and no faster than PCIe lets it be; switches with ports of that rate, whole or split in two.
/// RoCE, InfiniBand and Ultra Ethernet.
std::vector<NetworkParts> network_parts(const Scenario& scenario, const Catalog& catalog);

/// Axes: parts, topology, oversubscription. A point's overrides describe the whole network: what the scenario says of fabric,
/// transport and routing is taken away first.
std::vector<Axis> network_axes(const Scenario& scenario, const Catalog& catalog);
std::vector<std::string> without_network(const Scenario& scenario);

}  // namespace railyard
