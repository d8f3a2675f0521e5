#include "fabric/ecmp.h"

#include <algorithm>

#include "base/rng.h"
#include "fabric/pinned.h"

namespace railyard {

namespace {

constexpr std::uint32_t kFirstAddress = 0x0A000000U;  // 10.0.0.0
constexpr std::uint32_t kNicSeed = 0x5EED;            // of a choice that no switch makes

std::uint32_t tier_in_seeds(NodeKind kind) { return kind == NodeKind::leaf ? 0 : kind == NodeKind::spine ? 1 : 2; }

std::uint32_t seed_at(const Fabric& fabric, NodeId node, const std::vector<std::uint32_t>& seeds) {
  const NodeKind kind = fabric.kind[node];
  if (!is_switch(kind) || seeds.empty()) return kNicSeed;
  return seeds[std::min<std::size_t>(tier_in_seeds(kind), seeds.size() - 1)];
}

/// What a switch hashes by where it was given something of its own; a single switch counts before its tier.
const OwnHash* own_hash_at(const Fabric& fabric, NodeId node, const std::vector<OwnHash>& own) {
  const NodeKind kind = fabric.kind[node];
  if (own.empty() || !is_switch(kind)) return nullptr;
  const auto begin = fabric.kind.begin();
  const auto number = static_cast<std::uint32_t>(std::count(begin, begin + node.index(), kind));
  const OwnHash* found = nullptr;
  for (const OwnHash& one : own)
    if (one.tier == tier_in_seeds(kind) && one.index.value_or(number) == number) found = &one;
  return found;
}

/// Which of `choices` equal ports `node` sends these packets to.
std::uint32_t choice_at(const Fabric& fabric, NodeId node, EndpointId to, const FlowHeader& header,
                        const HashSettings& settings, std::uint32_t choices) {
  if (choices == 1) return 0;
  if (settings.pinned) return pinned_choice(fabric, node, to, choices);
  if (const OwnHash* own = own_hash_at(fabric, node, settings.own))
    return hash_of(header, own->hash, own->hash_fields, own->seed) % choices;
  return hash_of(header, settings.function, settings.fields, seed_at(fabric, node, settings.seeds)) % choices;
}

/// The same of live ports. What is pinned keeps its port as long as that leads on.
PortId live_hop(const Fabric& fabric, const LivePorts& live, NodeId at, EndpointId to, const FlowHeader& header,
                const HashSettings& settings) {
  const std::vector<PortId>& hops = live.hops(at, to);
  if (settings.pinned) {
    const Hops all = next_hops(fabric, at, to);
    const PortId own = all[pinned_choice(fabric, at, to, all.size())];
    if (std::find(hops.begin(), hops.end(), own) != hops.end()) return own;
  }
  return hops[choice_at(fabric, at, to, header, settings, static_cast<std::uint32_t>(hops.size()))];
}

std::uint32_t first_number(const HashSettings& settings, InterfaceId nic) {
  return Rng(settings.qp_seed, "queue pairs", nic.index()).below(1U << 22);
}

FlowHeader header_between(InterfaceId from, InterfaceId to, std::uint32_t ours, std::uint32_t theirs) {
  return {kFirstAddress + from.index() + 1, kFirstAddress + to.index() + 1, udp_source_port(ours, theirs), theirs};
}

/// Scale-up links belong to single GPUs, of which a NIC may have several: no switch chooses there.
void add_first_ports(const Fabric& fabric, EndpointId from, EndpointId to, std::vector<PortId>& path) {
  for (const TrunkShare& step : path_of(fabric, from, to)) path.push_back(fabric.trunk_ports[step.trunk].front());
}

}  // namespace

HashSettings hash_settings(const RoutingPlan& routing) {
  const bool enhanced = routing.policy == RoutingPolicy::enhanced_ecmp;
  HashSettings settings{routing.hash,    enhanced ? HashFields::qpn : routing.hash_fields, routing.seeds,
                        routing.qp_seed, routing.policy == RoutingPolicy::pinned,          routing.own_hashes};
  for (OwnHash& own : settings.own)
    if (enhanced) own.hash_fields = HashFields::qpn;
  return settings;
}

QueuePairNumbers::QueuePairNumbers(const Fabric& fabric, const HashSettings& settings) {
  first_.reserve(fabric.leaf.size());
  for (const InterfaceId nic : ids(fabric.leaf)) first_.push(first_number(settings, nic));
}

FlowHeader header_of(const Fabric& fabric, EndpointId from, EndpointId to, std::uint32_t local, std::uint32_t remote,
                     const QueuePairNumbers& numbers) {
  const InterfaceId ours = fabric.interface_of(from), theirs = fabric.interface_of(to);
  return header_between(ours, theirs, numbers.number(ours, local), numbers.number(theirs, remote));
}

FlowHeader header_of(const Fabric& fabric, EndpointId from, EndpointId to, std::uint32_t local, std::uint32_t remote,
                     const HashSettings& settings) {
  const InterfaceId ours = fabric.interface_of(from), theirs = fabric.interface_of(to);
  return header_between(ours, theirs, (first_number(settings, ours) + local) & kQpMask,
                        (first_number(settings, theirs) + remote) & kQpMask);
}

void find_hashed_path(const Fabric& fabric, EndpointId from, EndpointId to, const FlowHeader& header,
                      const HashSettings& settings, std::vector<PortId>& path) {
  if (!fabric.drawn && (share_domain(fabric, from, to) || fabric.node_of(from) == fabric.node_of(to)))
    return add_first_ports(fabric, from, to, path);
  const EndpointId relay = relay_of(fabric, from, to);
  if (relay != from) add_first_ports(fabric, from, relay, path);
  const std::size_t first = path.size();
  for (NodeId at = fabric.node_of(relay); at != fabric.node_of(to); at = fabric.port_to[path.back()]) {
    const auto choose = [&](const auto& hops) { return hops[choice_at(fabric, at, to, header, settings, hops.size())]; };
    path.push_back(fabric.drawn ? choose(next_hops(fabric, at, to)) : choose(next_ports(fabric, at, to)));
    RY_CHECK(path.size() - first <= fabric.kind.size(), "a path visits no node twice");
  }
}

void find_hashed_path(const Fabric& fabric, const LivePorts& live, EndpointId from, EndpointId to, const FlowHeader& header,
                      const HashSettings& settings, std::vector<PortId>& path) {
  if (live.spares(from, to)) return find_hashed_path(fabric, from, to, header, settings, path);
  if (!live.connects(from, to)) return;
  if (!fabric.drawn && share_domain(fabric, from, to)) return add_first_ports(fabric, from, to, path);
  if (!fabric.drawn && fabric.node_of(from) == fabric.node_of(to)) {
    const auto [up, down] = *live.turn_at_leaf(fabric.interface_of(from));
    path.insert(path.end(), {up, down});
    return;
  }
  const EndpointId relay = relay_of(fabric, from, to);
  if (relay != from) add_first_ports(fabric, from, relay, path);
  for (NodeId at = fabric.node_of(relay); at != fabric.node_of(to); at = fabric.port_to[path.back()])
    path.push_back(live_hop(fabric, live, at, to, header, settings));
}

void find_hashed_path(const Fabric& fabric, const StaticRoutes& fixed, EndpointId from, EndpointId to, const FlowHeader& header,
                      const HashSettings& settings, std::size_t most, std::vector<PortId>& path) {
  const NodeId host = fabric.node_of(to);
  const bool apart = fabric.drawn || (!share_domain(fabric, from, to) && fabric.node_of(from) != host);
  if (fixed.empty() || !apart || relay_of(fabric, from, to) != from)
    return find_hashed_path(fabric, from, to, header, settings, path);
  const std::size_t first = path.size();
  for (NodeId at = fabric.node_of(from); at != host && path.size() - first < most; at = fabric.port_to[path.back()]) {
    const auto choose = [&](const auto& hops) {
      return hops[choice_at(fabric, at, to, header, settings, static_cast<std::uint32_t>(hops.size()))];
    };
    const std::span<const PortId> set = fixed.hops(at, host);
    path.push_back(set.empty() ? choose(next_hops(fabric, at, to)) : choose(set));
  }
}

std::vector<PortId> hashed_path(const Fabric& fabric, EndpointId from, EndpointId to, const FlowHeader& header,
                                const HashSettings& settings) {
  std::vector<PortId> path;
  find_hashed_path(fabric, from, to, header, settings, path);
  return path;
}

PathPolicy path_policy_of(const RoutingPlan& routing) {
  const bool weighs = routing.wcmp && routing.policy != RoutingPolicy::pinned;
  const NextHopWeights weights = weighs ? NextHopWeights::paths : NextHopWeights::equal;
  return {routing.policy, routing.qps_per_connection, routing.qp_use, hash_settings(routing), routing.paths, {}, weights};
}

}  // namespace railyard
