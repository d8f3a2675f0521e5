#include "sim/bounds.h"

#include <algorithm>
#include <vector>

namespace railyard {

namespace {

/// No message between two ranks is faster than this: hosts, cables and switches of the shortest way, which stays under one leaf
/// where some leaf has two ranks.
Picoseconds shortest_latency(const Fabric& fabric, const Placement& placement, bool under_one_leaf) {
  const TrunkPath path = trunk_path(fabric, placement[RankId(0)], placement[RankId(1)]);
  Picoseconds latency = fabric.host_latency * 2;
  for (std::size_t i = 0; i < path.size(); i++)
    if (i == 0 || i + 1 == path.size() || !under_one_leaf) latency += fabric.trunk_delay[path[i]];
  return latency;
}

}  // namespace

Bound all_reduce_bound(const Fabric& fabric, const Placement& placement, Bytes size) {
  const auto ranks = static_cast<std::uint32_t>(placement.size());
  const TrunkId first = trunk_path(fabric, placement[RankId(0)], placement[RankId(1)])[0];
  const BitsPerSecond links = fabric.trunk_rate(first) * ranks;  // every host has a link of the same rate
  Bound bound{transmit_time(all_reduce_total_bytes(ranks, size), links), first};

  std::vector<std::uint32_t> ranks_at(fabric.leaves, 0);
  for (const EndpointId seat : placement) ranks_at[fabric.leaf_of(seat)]++;
  for (std::uint32_t leaf = 0; leaf < fabric.leaves; leaf++) {
    if (ranks_at[leaf] == 0 || ranks_at[leaf] == ranks) continue;
    for (const TrunkId trunk : {leaf_up_trunk(fabric, leaf), leaf_down_trunk(fabric, leaf)}) {
      const Picoseconds time = transmit_time(all_reduce_cut_bytes(size), fabric.trunk_rate(trunk));
      if (time > bound.time) bound = {time, trunk};
    }
  }
  const bool under_one_leaf = std::any_of(ranks_at.begin(), ranks_at.end(), [](std::uint32_t there) { return there > 1; });
  bound.time += shortest_latency(fabric, placement, under_one_leaf);  // the last byte still has to arrive
  return bound;
}

void check_physics(const Fabric& fabric, const Schedule& schedule, Bytes size, Picoseconds time, const Bound& bound,
                   const Telemetry& telemetry) {
  RY_CHECK(time >= bound.time, "no collective beats its bandwidth lower bound");
  RY_CHECK(telemetry.messages == schedule.messages(), "every message that is posted is delivered");
  RY_CHECK(telemetry.payload == all_reduce_total_bytes(schedule.positions, size), "no byte is lost or made");
  for (const TrunkId trunk : ids(fabric.trunk_tier))
    RY_CHECK(transmit_time(telemetry.trunk_carried[trunk], fabric.trunk_rate(trunk)) <= time,
             "no port carries more than its rate");
}

}  // namespace railyard
