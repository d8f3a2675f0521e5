#include "fabric/fabric.h"

#include <fmt/format.h>

#include <algorithm>

namespace railyard {

// Layout of ids, which routing relies on (assemble.cpp makes it so):
//   nodes   hosts (interfaces of GPUs, then those of servers), switches block by block, scale-up switches
//   trunks  host up, host down by interface; then up and down of each block; then circuits; then scale-up
//   ports   in the order of their trunks. Up: by lower switch, then upper switch, then parallel link. Down: by upper switch,
//           then lower, then link. Between host and leaf: by switch of the leaf's block, then port.

namespace {

/// The trunk of the other direction. REQUIRES: as reverse_of.
TrunkId reverse_of(const Fabric& f, TrunkId trunk) {
  const auto in_pairs_from = [&](TrunkId first) { return TrunkId(first.index() + ((trunk.index() - first.index()) ^ 1U)); };
  const auto hosts = static_cast<std::uint32_t>(f.leaf.size());
  if (f.drawn) return in_pairs_from(TrunkId(0));
  switch (f.trunk_tier[trunk]) {
    case Tier::host_up:
      return TrunkId(trunk.index() + hosts);
    case Tier::host_down:
      return TrunkId(trunk.index() - hosts);
    case Tier::leaf_up:
    case Tier::spine_up:
    case Tier::spine_down:
    case Tier::leaf_down:
      return in_pairs_from(TrunkId(2 * hosts));
    case Tier::across:
      return in_pairs_from(f.circuits.front().there);
    case Tier::scale_up:
    case Tier::scale_down:
      break;
  }
  RY_CHECK(false, "scale-up links are no part of the network");
}

}  // namespace

std::string_view name_of(NodeKind kind) {
  constexpr std::string_view kNames[] = {"host", "leaf", "spine", "core", "gateway", "scale-up switch"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name_of(Tier tier, Topology topology) {
  constexpr std::string_view kNames[] = {"host to leaf",  "leaf to spine", "spine to core",   "circuits",       "core to spine",
                                         "spine to leaf", "leaf to host",  "GPU to scale-up", "scale-up to GPU"};
  const bool one_switch = topology == Topology::star || topology == Topology::file;
  if (one_switch && tier == Tier::host_up) return "host to switch";
  if (one_switch && tier == Tier::host_down) return "switch to host";
  if (topology == Topology::file && tier == Tier::across) return "switch to switch";
  if (topology == Topology::two_site && tier == Tier::across) return "site to site";
  if (topology == Topology::hybrid && tier == Tier::spine_up) return "spine to gateway";
  if (topology == Topology::hybrid && tier == Tier::spine_down) return "gateway to spine";
  return kNames[static_cast<std::size_t>(tier)];
}

BitsPerSecond rate_of_circuits(const Fabric& f) {
  BitsPerSecond most;
  for (std::size_t way = 0; way < std::max<std::size_t>(1, f.ways.size()); way++) {
    BitsPerSecond all;
    for (std::size_t i = 0; i < f.circuits.size(); i++) {
      const CircuitBundle& bundle = f.circuits[i];
      const std::uint32_t lit = f.ways.empty() ? bundle.per_switch : f.ways[way].per_switch[i];
      for (const TrunkId trunk : {bundle.there, bundle.back})
        all += f.trunk_port_rate[trunk] * (f.trunk_ports[trunk].size() / bundle.per_switch * lit);
    }
    most = std::max(most, all);
  }
  return most;
}

std::uint32_t number_of(const Fabric& f, NodeId node) {
  return static_cast<std::uint32_t>(std::count(f.kind.begin(), f.kind.begin() + node.index(), f.kind[node]));
}

std::string node_name(const Fabric& f, NodeId node, std::uint32_t number) {
  return f.names.empty() ? fmt::format("{} {}", name_of(f.kind[node]), number) : f.names[node.index()];
}

BlockId Fabric::pod_of(EndpointId endpoint) const {
  BlockId block = leaf_of(endpoint);
  const auto top = [&](BlockId b) { return blocks[b].kind == NodeKind::core || blocks[b].kind == NodeKind::gateway; };
  while (blocks[block].parent.valid() && !top(blocks[block].parent)) block = blocks[block].parent;
  return block;
}

std::uint32_t Fabric::count(NodeKind wanted) const {
  return static_cast<std::uint32_t>(std::count(kind.begin(), kind.end(), wanted));
}

std::uint32_t Fabric::blocks_of(NodeKind wanted) const {
  return static_cast<std::uint32_t>(
      std::count_if(blocks.begin(), blocks.end(), [&](const Block& block) { return block.kind == wanted; }));
}

TrunkId host_up_trunk(const Fabric& fabric, InterfaceId interface) {
  RY_CHECK(!fabric.drawn, "a drawn fabric has no interfaces");
  return TrunkId(interface.index());
}

TrunkId host_down_trunk(const Fabric& fabric, InterfaceId interface) {
  RY_CHECK(!fabric.drawn, "a drawn fabric has no interfaces");
  return TrunkId(static_cast<std::uint32_t>(fabric.leaf.size()) + interface.index());
}

PortId reverse_of(const Fabric& f, PortId port) {
  const TrunkId trunk = f.port_trunk[port], back = reverse_of(f, trunk);
  const std::uint32_t index = port.index() - f.trunk_ports[trunk].front().index();
  const Tier tier = f.trunk_tier[trunk];
  const bool up = tier == Tier::leaf_up || tier == Tier::spine_up, down = tier == Tier::leaf_down || tier == Tier::spine_down;
  if (f.drawn || (!up && !down)) return f.trunk_ports[back][index];
  const Block& child = f.blocks[f.block_of[up ? f.port_from[port] : f.port_to[port]]];
  const std::uint32_t lower = child.width / child.planes, upper = f.blocks[child.parent].width / child.planes;
  const std::uint32_t ours = up ? lower : upper, theirs = up ? upper : lower;  // switches of a plane at either end
  const std::uint32_t link = index % child.links, near = index / child.links / theirs, far = index / child.links % theirs;
  return f.trunk_ports[back][((near / ours * theirs + far) * ours + near % ours) * child.links + link];
}

}  // namespace railyard
