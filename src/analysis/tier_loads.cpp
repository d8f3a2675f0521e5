#include "analysis/tier_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace railyard {

double utilisation(Bytes carried, BitsPerSecond rate, Picoseconds time) {
  if (rate == BitsPerSecond::zero() || time == Picoseconds::zero()) return 0;
  return static_cast<double>(carried.count()) * 8 / static_cast<double>(rate.count()) / seconds(time);
}

/// Hosts are called by what sits there.
namespace {

std::string end_name(const Fabric& f, NodeId node, std::uint32_t number) {
  if (f.kind[node] != NodeKind::host || !f.names.empty()) return node_name(f, node, number);
  return fmt::format("{} {}", f.per_interface == 1 ? "GPU" : "NIC", number);
}

}  // namespace

std::string end_name(const Fabric& f, NodeId node) { return end_name(f, node, number_of(f, node)); }

std::string port_name(const Fabric& f, PortId port) {
  std::string name = end_name(f, f.port_from[port]) + " to " + end_name(f, f.port_to[port]);
  std::uint32_t links = 0, number = 0;  // between the same two
  for (const PortId other : f.trunk_ports[f.port_trunk[port]]) {
    if (f.port_from[other] != f.port_from[port] || f.port_to[other] != f.port_to[port]) continue;
    if (other == port) number = links;
    links++;
  }
  return links > 1 ? fmt::format("{}, link {}", name, number) : name;
}

Table<PortId, std::string> port_names(const Fabric& f) {
  std::vector<std::string> ends;
  std::array<std::uint32_t, kNodeKinds> next = {};
  for (const NodeId node : ids(f.kind)) ends.push_back(end_name(f, node, next[static_cast<std::size_t>(f.kind[node])]++));
  Table<PortId, std::string> names(f.port_from.size());
  std::map<std::pair<NodeId, NodeId>, std::uint32_t> links, numbers;  // of one trunk
  for (const IdRange<PortId>& ports : f.trunk_ports) {
    links.clear();
    numbers.clear();
    for (const PortId port : ports) links[{f.port_from[port], f.port_to[port]}]++;
    for (const PortId port : ports) {
      const std::pair pair(f.port_from[port], f.port_to[port]);
      names[port] = ends[pair.first.index()] + " to " + ends[pair.second.index()];
      if (links[pair] > 1) names[port] += fmt::format(", link {}", numbers[pair]++);
    }
  }
  return names;
}

Table<PortId, double> carried_by_ports(const Fabric& fabric, const Telemetry& telemetry) {
  Table<PortId, double> carried(fabric.port_from.size(), 0);
  for (const TrunkId trunk : ids(fabric.trunk_tier))
    for (const PortId port : fabric.trunk_ports[trunk])
      carried[port] = telemetry.port_carried.empty()
                          ? static_cast<double>(telemetry.trunk_carried[trunk].count()) / fabric.trunk_ports[trunk].size()
                          : static_cast<double>(telemetry.port_carried[port].count());
  return carried;
}

std::vector<TierLoad> tier_loads(const Fabric& fabric, const Telemetry& telemetry, Picoseconds time) {
  std::vector<TierLoad> loads(kTiers);
  for (std::size_t t = 0; t < kTiers; t++) {
    loads[t].tier = static_cast<Tier>(t);
    loads[t].name = name_of(loads[t].tier, fabric.topology);
  }
  for (const TrunkId trunk : ids(fabric.trunk_tier)) {
    TierLoad& load = loads[static_cast<std::size_t>(fabric.trunk_tier[trunk])];
    load.trunks++;
    load.ports += fabric.trunk_ports[trunk].size();
    load.trunk_rate = fabric.trunk_rate(trunk);
    load.carried += telemetry.trunk_carried[trunk];
    const double lit = telemetry.trunk_lit.empty() ? 1 : telemetry.trunk_lit[trunk.index()];
    const double share = lit > 0 ? utilisation(telemetry.trunk_carried[trunk], fabric.trunk_rate(trunk), time) / lit : 0;
    load.mean_utilisation += share;
    load.peak_utilisation = std::max(load.peak_utilisation, share);
    if (telemetry.port_carried.empty()) continue;
    for (const PortId port : fabric.trunk_ports[trunk])
      load.peak_utilisation =
          std::max(load.peak_utilisation, utilisation(telemetry.port_carried[port], fabric.trunk_port_rate[trunk], time));
  }
  std::vector<TierLoad> shown;
  for (TierLoad& load : loads) {
    const bool inside = is_scale_up(load.tier);
    if (load.trunks == 0 || (inside && load.carried == Bytes::zero())) continue;
    load.mean_utilisation /= load.trunks;
    shown.push_back(std::move(load));
  }
  return shown;
}

std::uint32_t rails_of_gpus(const Fabric& fabric) {
  return fabric.rails > 1 ? std::max(1U, fabric.rails - fabric.host_nics) : 1;
}

namespace {

/// `share_of` tells what of its rate a trunk used.
template<class Share>
std::vector<RailLoad> loads_of_rails(const Fabric& fabric, const Telemetry& telemetry, const Share& share_of) {
  std::vector<RailLoad> rails(rails_of_gpus(fabric));
  if (fabric.drawn) return {};
  std::vector<std::uint32_t> nics(rails.size(), 0);
  for (std::uint32_t i = 0; i < fabric.interfaces; i++) {
    const std::size_t rail = i % rails.size();
    const TrunkId trunk = host_up_trunk(fabric, InterfaceId(i));
    const double share = share_of(trunk);
    rails[rail].rail = static_cast<std::uint32_t>(rail);
    rails[rail].sent += telemetry.trunk_carried[trunk];
    rails[rail].mean_utilisation += share;
    rails[rail].peak_utilisation = std::max(rails[rail].peak_utilisation, share);
    nics[rail]++;
  }
  for (std::size_t rail = 0; rail < rails.size(); rail++)
    if (nics[rail] > 0) rails[rail].mean_utilisation /= nics[rail];
  return rails;
}

}  // namespace

std::vector<RailLoad> rail_loads(const Fabric& fabric, const Telemetry& telemetry, Picoseconds time) {
  return loads_of_rails(fabric, telemetry, [&](TrunkId trunk) {
    return utilisation(telemetry.trunk_carried[trunk], fabric.trunk_rate(trunk), time);
  });
}

std::vector<RailLoad> rail_loads(const Fabric& fabric, const Telemetry& telemetry, Picoseconds time,
                                 const Table<PortId, double>& sent) {
  return loads_of_rails(fabric, telemetry, [&](TrunkId trunk) {
    double bytes = 0;
    for (const PortId port : fabric.trunk_ports[trunk]) bytes += sent[port];
    const double possible = static_cast<double>(fabric.trunk_rate(trunk).count()) * seconds(time);
    return possible > 0 ? bytes * 8 / possible : 0.0;
  });
}

std::string link_name(const Fabric& fabric, const Telemetry::Busiest& link) {
  return link_name(fabric, link.link, link.is_trunk);
}

std::string link_name(const Fabric& fabric, std::uint32_t link, bool is_trunk) {
  const PortId port = is_trunk ? fabric.trunk_ports[TrunkId(link)].front() : PortId(link);
  const bool many = is_trunk && fabric.trunk_ports[TrunkId(link)].size() > 1;
  const std::string name = port_name(fabric, port);
  return many ? name + " and the like" : name;
}

}  // namespace railyard
