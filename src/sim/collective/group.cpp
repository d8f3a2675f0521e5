#include "sim/collective/group.h"

#include <algorithm>
#include <map>

#include "fabric/routes.h"

namespace railyard {

namespace {

/// The lowest block that is above all seats, if there is one.
BlockId common_block(const Fabric& fabric, const std::vector<EndpointId>& seats) {
  std::vector<std::uint32_t> above(fabric.blocks.size(), 0);
  for (const EndpointId seat : seats)
    for (BlockId block = fabric.leaf_of(seat); block.valid(); block = fabric.blocks[block].parent) above[block.index()]++;
  for (BlockId block = fabric.leaf_of(seats.front()); block.valid(); block = fabric.blocks[block].parent)
    if (above[block.index()] == seats.size()) return block;
  return {};
}

}  // namespace

std::vector<std::vector<EndpointId>> nodes_of(const Fabric& fabric, const Placement& placement) {
  std::vector<std::vector<EndpointId>> nodes;
  std::map<std::uint32_t, std::size_t> by_domain;
  for (const EndpointId seat : placement) {
    const auto [entry, is_new] = by_domain.try_emplace(fabric.domain_of(seat), nodes.size());
    if (is_new) nodes.emplace_back();
    nodes[entry->second].push_back(seat);
  }
  return nodes;
}

SeatedGroup seat_group(const Fabric& fabric, const Placement& placement) {
  SeatedGroup group;
  group.seats.assign(placement.begin(), placement.end());
  group.shape.positions = static_cast<std::uint32_t>(group.seats.size());
  if (fabric.scale_up.domain == 1) return group;
  std::uint32_t together = 1;
  while (together < group.seats.size() && share_domain(fabric, group.seats[0], group.seats[together])) together++;
  for (std::size_t i = 0; i < group.seats.size(); i++) {
    const bool shares = i + 1 < group.seats.size() && share_domain(fabric, group.seats[i], group.seats[i + 1]);
    const bool should = (i + 1) % together != 0;
    if (i + 1 < group.seats.size() && shares != should) return group;  // uneven: everybody for itself
  }
  if (group.shape.positions % together == 0) group.shape.per_domain = together;
  return group;
}

bool add_reduction_tree(const Fabric& fabric, SeatedGroup& group) {
  if (fabric.drawn) return false;
  const BlockId root = common_block(fabric, group.seats);
  if (!root.valid()) return false;
  std::map<BlockId, PositionId> position;  // of the blocks that reduce
  for (const EndpointId seat : group.seats)
    for (BlockId block = fabric.leaf_of(seat);; block = fabric.blocks[block].parent) {
      position.try_emplace(block, PositionId());
      if (block == root) break;
    }
  std::uint32_t next = group.shape.positions;
  for (auto& [block, id] : position) id = PositionId(next++);
  group.shape.tree.switches = static_cast<std::uint32_t>(position.size());
  group.shape.tree.parent = Table<PositionId, PositionId>(next);
  group.up.assign(next, TrunkId());
  group.down.assign(next, TrunkId());
  for (std::uint32_t i = 0; i < group.shape.positions; i++) {
    const InterfaceId interface = fabric.interface_of(group.seats[i]);
    group.shape.tree.parent[PositionId(i)] = position.at(fabric.leaf_of(group.seats[i]));
    group.up[i] = host_up_trunk(fabric, interface);
    group.down[i] = host_down_trunk(fabric, interface);
  }
  for (const auto& [block, id] : position) {
    if (block == root) continue;
    group.shape.tree.parent[id] = position.at(fabric.blocks[block].parent);
    group.up[id.index()] = fabric.blocks[block].up;
    group.down[id.index()] = fabric.blocks[block].down;
  }
  return true;
}

void add_domain_switches(const Fabric& fabric, const Schedule& schedule, SeatedGroup& group) {
  group.up.assign(schedule.positions + schedule.switches, TrunkId());
  group.down = group.up;
  for (std::uint32_t i = 0; i < schedule.positions; i++) {
    if (!schedule.parent[PositionId(i)].valid()) continue;
    group.up[i] = scale_up_trunks(fabric, group.seats[i]).front();
    group.down[i] = scale_down_trunk(fabric, group.seats[i]);
  }
}

}  // namespace railyard
