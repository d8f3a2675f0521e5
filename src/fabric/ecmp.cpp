#include "fabric/ecmp.h"

#include <algorithm>

#include "base/rng.h"

namespace railyard {

namespace {

constexpr std::uint32_t kFirstAddress = 0x0A000000U;  // 10.0.0.0
constexpr std::uint32_t kQpMask = 0xFFFFFFU;
constexpr std::uint32_t kNicSeed = 0x5EED;  // of a choice that no switch makes

std::uint32_t seed_at(const Fabric& fabric, NodeId node, const std::vector<std::uint32_t>& seeds) {
  const NodeKind kind = fabric.kind[node];
  if (kind == NodeKind::host || kind == NodeKind::scale_up || seeds.empty()) return kNicSeed;
  const std::size_t tier = kind == NodeKind::leaf ? 0 : kind == NodeKind::spine ? 1 : 2;
  return seeds[std::min(tier, seeds.size() - 1)];
}

}  // namespace

HashSettings hash_settings(const RoutingSpec& routing, std::uint64_t seed) {
  const bool enhanced = routing.policy == RoutingPolicy::enhanced_ecmp;
  return {routing.hash, enhanced ? HashFields::qpn : routing.hash_fields, routing.seeds, seed};
}

FlowHeader header_of(const Fabric& fabric, EndpointId from, EndpointId to, std::uint32_t local, std::uint32_t remote,
                     const HashSettings& settings) {
  const auto number = [&](EndpointId at, std::uint32_t index) {
    Rng rng(settings.queue_pairs, "queue pairs", fabric.interface_of(at).index());
    return (rng.below(1U << 22) + index) & kQpMask;
  };
  const std::uint32_t ours = number(from, local), theirs = number(to, remote);
  return {kFirstAddress + fabric.interface_of(from).index() + 1, kFirstAddress + fabric.interface_of(to).index() + 1,
          udp_source_port(ours, theirs), theirs};
}

std::vector<PortId> hashed_path(const Fabric& fabric, EndpointId from, EndpointId to, const FlowHeader& header,
                                const HashSettings& settings) {
  std::vector<PortId> path;
  // Scale-up links belong to single GPUs, of which a NIC may have several: no switch chooses there.
  const auto add_first_ports = [&](EndpointId a, EndpointId b) {
    for (const TrunkShare& step : way_of(fabric, a, b)) path.push_back(fabric.trunk_ports[step.trunk].front());
  };
  const EndpointId relay = fabric.drawn ? from : relay_of(fabric, from, to);
  if (!fabric.drawn && (share_domain(fabric, from, to) || fabric.node_of(from) == fabric.node_of(to))) {
    add_first_ports(from, to);
    return path;
  }
  if (relay != from) add_first_ports(from, relay);
  for (NodeId at = fabric.node_of(relay); at != fabric.node_of(to); at = fabric.port_to[path.back()]) {
    const Hops hops = next_hops(fabric, at, to);
    const std::uint32_t choice =
        hops.size() == 1
            ? 0
            : hash_of(header, settings.function, settings.fields, seed_at(fabric, at, settings.seeds)) % hops.size();
    path.push_back(hops[choice]);
    RY_CHECK(path.size() <= fabric.kind.size(), "a path visits no node twice");
  }
  return path;
}

PathPolicy path_policy_of(const Scenario& scenario) {
  return {scenario.routing.policy, scenario.transport.qps_per_connection, scenario.transport.qp_use,
          hash_settings(scenario.routing, scenario.engine.seed)};
}

}  // namespace railyard
