#include "fabric/pinned.h"

namespace railyard {

namespace {

/// Of every switch of a block that has a parent.
std::uint32_t uplinks_of(const Fabric& f, const Block& block) {
  return f.blocks[block.parent].width / block.planes * block.links;
}

}  // namespace

std::uint32_t pinned_choice(const Fabric& f, NodeId at, EndpointId to, std::uint32_t choices) {
  if (f.drawn) return f.node_of(to).index() % choices;
  const InterfaceId nic = f.interface_of(to);
  std::uint32_t digit = f.nth[nic];
  const BlockId here = f.block_of[at];
  if (!here.valid()) return digit % choices;
  digit /= f.trunk_ports[host_down_trunk(f, nic)].size();
  // Up from a switch of the same tier, or down to this block.
  for (BlockId below = f.leaf[nic];; below = f.blocks[below].parent) {
    const Block& block = f.blocks[below];
    if (block.kind == f.kind[at] || block.parent == here || !block.parent.valid()) return digit % choices;
    digit /= uplinks_of(f, block);
  }
}

}  // namespace railyard
