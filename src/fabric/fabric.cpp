#include "fabric/fabric.h"

namespace railyard {

// Layout of ids, which routing relies on (build.cpp makes it so):
//   nodes   hosts 0 … H-1, leaves H … H+L-1, spines after them
//   trunks  host up 0 … H-1, host down H … 2H-1, then leaf up and leaf down of leaf 0, of leaf 1, …
//   ports   in the order of their trunks; inside a leaf's trunk by spine, then by parallel link

std::string_view name_of(NodeKind kind) {
  constexpr std::string_view kNames[] = {"host", "leaf", "spine"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name_of(Tier tier, Topology topology) {
  constexpr std::string_view kNames[] = {"host to leaf", "leaf to spine", "spine to leaf", "leaf to host"};
  if (topology == Topology::star) return tier == Tier::host_up ? "host to switch" : "switch to host";
  return kNames[static_cast<std::size_t>(tier)];
}

namespace {

TrunkId host_up(EndpointId endpoint) { return TrunkId(endpoint.index()); }
TrunkId host_down(const Fabric& f, EndpointId endpoint) { return TrunkId(f.endpoints() + endpoint.index()); }

}  // namespace

TrunkId leaf_up_trunk(const Fabric& fabric, std::uint32_t leaf) { return TrunkId(2 * fabric.endpoints() + 2 * leaf); }
TrunkId leaf_down_trunk(const Fabric& fabric, std::uint32_t leaf) { return TrunkId(2 * fabric.endpoints() + 2 * leaf + 1); }

IdRange<PortId> next_hops(const Fabric& fabric, NodeId at, EndpointId to) {
  const std::uint32_t hosts = fabric.endpoints();
  const std::uint32_t leaf = fabric.leaf_of(to);
  switch (fabric.kind[at]) {
    case NodeKind::host:
      if (at == fabric.endpoint_node[to]) return {};
      return fabric.trunk_ports[host_up(EndpointId(at.index()))];
    case NodeKind::leaf:
      if (at.index() - hosts == leaf) return fabric.trunk_ports[host_down(fabric, to)];
      return fabric.trunk_ports[leaf_up_trunk(fabric, at.index() - hosts)];
    case NodeKind::spine:
      break;
  }
  const std::uint32_t spine = at.index() - hosts - fabric.leaves;
  const IdRange<PortId> down = fabric.trunk_ports[leaf_down_trunk(fabric, leaf)];
  return {down[spine * fabric.links_per_spine], fabric.links_per_spine};
}

TrunkPath trunk_path(const Fabric& fabric, EndpointId from, EndpointId to) {
  RY_CHECK(from != to, "a message goes to another endpoint");
  TrunkPath path;
  path.push(host_up(from));
  if (fabric.leaf_of(from) != fabric.leaf_of(to)) {
    path.push(leaf_up_trunk(fabric, fabric.leaf_of(from)));
    path.push(leaf_down_trunk(fabric, fabric.leaf_of(to)));
  }
  path.push(host_down(fabric, to));
  return path;
}

}  // namespace railyard
