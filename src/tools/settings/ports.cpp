#include "tools/settings/ports.h"

#include <algorithm>
#include <array>
#include <optional>

namespace railyard {

namespace {

std::optional<Role> role_of(NodeKind kind) {
  if (kind == NodeKind::leaf) return Role::leaf;
  if (kind == NodeKind::spine) return Role::spine;
  if (kind == NodeKind::core) return Role::core;
  return std::nullopt;
}

void add_port(std::vector<PortGroup>& groups, const PortGroup& port) {
  const auto same = std::find_if(groups.begin(), groups.end(), [&](const PortGroup& g) {
    return g.up == port.up && g.rate == port.rate && g.delay == port.delay;
  });
  if (same == groups.end())
    groups.push_back(port);
  else
    same->count++;
}

/// The first switch of each kind that has most ports, and how many there are.
struct Busiest {
  NodeId node;
  std::uint32_t ports = 0, switches = 0;
};

std::array<Busiest, kNodeKinds> busiest_switches(const Fabric& fabric) {
  std::vector<std::uint32_t> ports(fabric.kind.size());
  for (const PortId port : ids(fabric.port_from)) ports[fabric.port_from[port].index()]++;
  std::array<Busiest, kNodeKinds> found;
  for (const NodeId node : ids(fabric.kind)) {
    Busiest& kind = found[static_cast<std::size_t>(fabric.kind[node])];
    kind.switches++;
    if (ports[node.index()] <= kind.ports) continue;
    kind.node = node;
    kind.ports = ports[node.index()];
  }
  return found;
}

}  // namespace

std::uint32_t SwitchClass::port_count() const {
  std::uint32_t all = 0;
  for (const PortGroup& group : ports) all += group.count;
  return all;
}

std::vector<SwitchClass> switch_classes(const Fabric& fabric) {
  const std::array<Busiest, kNodeKinds> busiest = busiest_switches(fabric);
  std::vector<SwitchClass> classes;
  for (const NodeKind kind : {NodeKind::leaf, NodeKind::spine, NodeKind::core}) {
    const Busiest& most = busiest[static_cast<std::size_t>(kind)];
    if (most.ports == 0) continue;
    SwitchClass& added = classes.emplace_back();
    added.role = *role_of(kind);
    added.switches = most.switches;
    for (const PortId port : ids(fabric.port_from)) {
      if (fabric.port_from[port] != most.node) continue;
      const TrunkId trunk = fabric.port_trunk[port];
      const Tier tier = fabric.trunk_tier[trunk];
      const bool up = tier == Tier::leaf_up || tier == Tier::spine_up || tier == Tier::across;
      add_port(added.ports, {up, fabric.trunk_port_rate[trunk], fabric.trunk_cable[trunk], 1});
    }
    std::stable_sort(added.ports.begin(), added.ports.end(),
                     [](const PortGroup& a, const PortGroup& b) { return a.up < b.up; });
  }
  return classes;
}

Millimetres cable_of(Picoseconds delay) {
  Millimetres length(delay.count() * 99 / 500);
  while (propagation_time(length) < delay) length += Millimetres(1);
  return length;
}

std::uint32_t longest_way(const std::vector<SwitchClass>& classes) {
  return classes.empty() ? 1 : static_cast<std::uint32_t>(2 * classes.size() - 1);
}

}  // namespace railyard
