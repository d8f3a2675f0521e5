#include "expected/nic_pairs.h"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/wire.h"
#include "fabric/latency.h"
#include "fabric/routes.h"

namespace railyard {

namespace {

constexpr Bytes kLargeMessage = 8_MiB;
constexpr Bytes kSmallMessage = 64_B;

bool has_verbs(const Scenario& scenario) {
  return scenario.transport.kind == TransportKind::roce || scenario.transport.kind == TransportKind::infiniband;
}

/// Switches above a host's port are shared out by several queue pairs; the port itself is one.
double path_rate(const Scenario& scenario, const Fabric& fabric, const TrunkPath& path, const WireFormat& wire) {
  BitsPerSecond slowest = BitsPerSecond::max();
  for (const TrunkShare& step : path) {
    const Tier tier = fabric.trunk_tier[step.trunk];
    const bool is_port = tier == Tier::host_up || tier == Tier::host_down;
    slowest = std::min(slowest, is_port ? fabric.trunk_port_rate[step.trunk] : fabric.trunk_rate(step.trunk));
  }
  if (const auto limit = scenario.workload.host.nic_rate) slowest = std::min(slowest, *limit);
  const double payload = static_cast<double>(kLargeMessage.count());
  return static_cast<double>(slowest.count()) / 8 * payload / static_cast<double>(wire.wire_size(kLargeMessage).count());
}

NicPair pair_of(const Scenario& scenario, const Fabric& fabric, std::string name, EndpointId from, EndpointId to) {
  const TransportPlan& t = scenario.transport;
  const WireFormat wire{t.mtu, t.header, t.message_header};
  const TrunkPath path = path_of(fabric, from, to);
  std::set<std::uint32_t> hops;
  for (const TrunkShare& step : path)
    if (fabric.kind[fabric.port_to[fabric.trunk_ports[step.trunk].front()]] != NodeKind::host) hops.insert(step.hop);
  const Picoseconds latency = packet_time(fabric, path, wire.packet_size(kSmallMessage)) + scenario.workload.host.latency;
  return {std::move(name), from, to, static_cast<std::uint32_t>(hops.size()), path_rate(scenario, fabric, path, wire),
          seconds(latency)};
}

/// How far the first GPUs of two servers are apart: 0 under one leaf, 1 in one pod, 2 further.
std::size_t distance_of(const Fabric& fabric, EndpointId a, EndpointId b) {
  if (fabric.leaf_of(a) == fabric.leaf_of(b)) return 0;
  return fabric.pod_of(a) == fabric.pod_of(b) ? 1 : 2;
}

}  // namespace

std::vector<NicPair> nic_pairs(const Scenario& scenario, const Fabric& fabric) {
  const std::uint32_t servers = servers_of(fabric);
  if (!has_verbs(scenario) || servers < 2) return {};
  const EndpointId first = first_of_server(fabric, 0);
  if (fabric.drawn) return {pair_of(scenario, fabric, "any", first, first_of_server(fabric, 1))};
  static constexpr const char* kNames[] = {"same-leaf", "across-leaves", "across-pods"};
  std::optional<EndpointId> found[3];
  for (std::uint32_t server = 1; server < servers; server++) {
    const EndpointId other = first_of_server(fabric, server);
    if (share_domain(fabric, first, other)) continue;  // they do not need the network
    auto& place = found[distance_of(fabric, first, other)];
    if (!place) place = other;
  }
  std::vector<NicPair> pairs;
  for (std::size_t i = 0; i < 3; i++)
    if (found[i]) pairs.push_back(pair_of(scenario, fabric, kNames[i], first, *found[i]));
  return pairs;
}

}  // namespace railyard
