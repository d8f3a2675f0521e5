#include "fabric/fabric.h"

#include <algorithm>

namespace railyard {

// Layout of ids, which routing relies on (assemble.cpp makes it so):
//   nodes   hosts (interfaces of GPUs, then those of servers), switches block by block, scale-up switches
//   trunks  host up, host down by interface; then up and down of each block; then circuits; then scale-up
//   ports   in the order of their trunks. Up: by lower switch, then upper switch, then parallel link. Down: by upper switch,
//           then lower, then link. Between host and leaf: by switch of the leaf's block, then port.

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
  if (topology == Topology::hybrid && tier == Tier::spine_up) return "spine to gateway";
  if (topology == Topology::hybrid && tier == Tier::spine_down) return "gateway to spine";
  return kNames[static_cast<std::size_t>(tier)];
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

}  // namespace railyard
