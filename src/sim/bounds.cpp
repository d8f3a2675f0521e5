#include "sim/bounds.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "fabric/routes.h"

namespace railyard {

namespace {

/// No message between two ranks is faster than the shortest way there is: between neighbours, or under one leaf.
Picoseconds shortest_latency(const Fabric& fabric, const Placement& placement) {
  Picoseconds shortest = Picoseconds::max();
  std::map<BlockId, EndpointId> under;       // a rank under each leaf
  std::map<std::uint32_t, EndpointId> near;  // and in each domain
  for (const RankId rank : ids(placement)) {
    const EndpointId seat = placement[rank];
    const auto look = [&](EndpointId other) {
      if (other != seat) shortest = std::min(shortest, least_delay_of(fabric, path_of(fabric, other, seat)));
    };
    look(placement[RankId(rank.index() == 0 ? 1 : rank.index() - 1)]);
    look(under.try_emplace(fabric.leaf_of(seat), seat).first->second);
    look(near.try_emplace(fabric.domain_of(seat), seat).first->second);
  }
  return shortest;
}

/// Trunks that leave the ranks.
std::set<TrunkId> sending_trunks(const Fabric& fabric, const Placement& placement) {
  std::set<TrunkId> trunks;
  for (const EndpointId seat : placement) {
    if (fabric.drawn) {
      for (const TrunkId trunk : fabric.drawn->from.row(fabric.node_of(seat))) trunks.insert(trunk);
      continue;
    }
    trunks.insert(host_up_trunk(fabric, fabric.interface_of(seat)));
    if (fabric.scale_up.domain > 1)
      for (const TrunkId trunk : scale_up_trunks(fabric, seat)) trunks.insert(trunk);
  }
  return trunks;
}

/// Finds the cuts of a group. Of those that are alike one is kept.
class CutFinder {
 public:
  CutFinder(const Fabric& fabric, const Placement& placement) : fabric_(fabric), placement_(placement) {}

  void run(GroupLimits& limits) {
    at_domains();
    at_blocks();
    for (const auto& [key, cut] : cuts_) limits.cuts.push_back(cut);
    if (!even_ || domain_rate_ <= 0) return;
    limits.domains = domains_;
    limits.domain_rate = domain_rate_;
  }

 private:
  void at_domains() {
    if (fabric_.drawn || fabric_.scale_up.domain == 1) return;
    std::map<std::uint32_t, std::vector<EndpointId>> domains;
    for (const EndpointId seat : placement_) domains[fabric_.domain_of(seat)].push_back(seat);
    if (domains.size() < 2) return;
    domains_ = static_cast<std::uint32_t>(domains.size());
    for (const auto& [domain, seats] : domains) {
      if (seats.size() != domains.begin()->second.size()) even_ = false;
      // Traffic may leave by the NIC of any GPU of the domain, ranks or not.
      double rate = 0;
      std::set<InterfaceId> interfaces;
      for (std::uint32_t gpu = domain * fabric_.scale_up.domain;
           gpu < std::min((domain + 1) * fabric_.scale_up.domain, fabric_.endpoints()); gpu++)
        interfaces.insert(fabric_.interface_of(EndpointId(gpu)));
      for (const InterfaceId interface : interfaces)
        rate += static_cast<double>(fabric_.trunk_rate(host_up_trunk(fabric_, interface)).count());
      add(static_cast<std::uint32_t>(seats.size()), contains_root(domain), rate, host_up_trunk(fabric_, *interfaces.begin()));
      domain_rate_ += rate;
    }
  }

  /// Blocks whose ranks have no way around their uplinks: whole domains are inside or outside.
  void at_blocks() {
    if (fabric_.drawn) return;
    std::vector<std::uint32_t> under(fabric_.blocks.size(), 0);
    std::map<std::uint32_t, std::set<BlockId>> leaves;  // of the ranks of each domain
    for (const EndpointId seat : placement_) {
      for (BlockId block = fabric_.leaf_of(seat); block.valid(); block = fabric_.blocks[block].parent) under[block.index()]++;
      leaves[fabric_.domain_of(seat)].insert(fabric_.leaf_of(seat));
    }
    std::vector<bool> split(fabric_.blocks.size(), false);
    for (const auto& [domain, all] : leaves)
      if (all.size() > 1)
        for (BlockId leaf : all)
          for (; leaf.valid(); leaf = fabric_.blocks[leaf].parent) split[leaf.index()] = true;
    for (const BlockId id : ids(fabric_.blocks)) {
      const Block& block = fabric_.blocks[id];
      const std::uint32_t inside = under[id.index()];
      if (inside == 0 || inside == placement_.size() || !block.parent.valid() || split[id.index()]) continue;
      add(inside, is_under(fabric_.leaf_of(placement_[RankId(0)]), id),
          static_cast<double>(fabric_.trunk_rate(block.up).count()), block.up);
    }
  }

  bool contains_root(std::uint32_t domain) const { return fabric_.domain_of(placement_[RankId(0)]) == domain; }
  bool is_under(BlockId leaf, BlockId block) const {
    for (; leaf.valid(); leaf = fabric_.blocks[leaf].parent)
      if (leaf == block) return true;
    return false;
  }

  void add(std::uint32_t inside, bool root_inside, double rate, TrunkId trunk) {
    cuts_.try_emplace({inside, root_inside, rate}, Cut{inside, root_inside, rate, trunk});
  }

  const Fabric& fabric_;
  const Placement& placement_;
  std::map<std::tuple<std::uint32_t, bool, double>, Cut> cuts_;
  std::uint32_t domains_ = 1;
  double domain_rate_ = 0;
  bool even_ = true;
};

}  // namespace

GroupLimits limits_of(const Fabric& fabric, const Placement& placement) {
  const std::set<TrunkId> trunks = sending_trunks(fabric, placement);
  GroupLimits limits{.ranks = static_cast<std::uint32_t>(placement.size()),
                     .sending_rate = 0,
                     .first = *trunks.begin(),
                     .domains = 1,
                     .domain_rate = 0,
                     .cuts = {},
                     .latency = shortest_latency(fabric, placement)};
  for (const TrunkId trunk : trunks) limits.sending_rate += static_cast<double>(fabric.trunk_rate(trunk).count());
  CutFinder(fabric, placement).run(limits);
  return limits;
}

Bound collective_bound(const GroupLimits& limits, CollectiveKind kind, Bytes size, SwitchHelp help, bool in_network) {
  const auto time_at = [](Bytes bytes, double rate) {
    return transmit_time(bytes, BitsPerSecond(static_cast<std::int64_t>(rate)));
  };
  Bound bound{time_at(least_bytes_sent(kind, limits.ranks, size, help), limits.sending_rate), limits.first};
  // Domains among each other: each is one party, and nothing but its NICs leads out.
  const bool among =
      kind == CollectiveKind::all_reduce || kind == CollectiveKind::all_gather || kind == CollectiveKind::reduce_scatter;
  if (limits.domains > 1 && among && !in_network) {
    const Picoseconds time = time_at(least_bytes_sent(kind, limits.domains, size), limits.domain_rate);
    if (time > bound.time) bound = {time, limits.cuts.front().trunk};
  }
  for (const Cut& cut : limits.cuts) {
    const CutBytes bytes = least_bytes_across(kind, limits.ranks, cut.inside, cut.root_inside, size);
    const Picoseconds time = time_at(std::max(bytes.out, bytes.in), cut.rate);
    if (time > bound.time) bound = {time, cut.trunk};
  }
  // With switches that compute, the first and last way may be shorter than any between two ranks.
  if (help == SwitchHelp::none) bound.time += limits.latency;
  return bound;
}

void check_carried(const Fabric& fabric, Picoseconds end, const Telemetry& telemetry) {
  for (const TrunkId trunk : ids(fabric.trunk_tier))
    RY_CHECK(transmit_time(telemetry.trunk_carried[trunk], fabric.trunk_rate(trunk)) <= end,
             "no trunk carries more than its rate");
  for (const PortId port : ids(telemetry.port_carried))
    RY_CHECK(transmit_time(telemetry.port_carried[port], fabric.trunk_port_rate[fabric.port_trunk[port]]) <= end,
             "no port carries more than its rate");
}

void check_rates(const Fabric& fabric, Picoseconds time, const Bound& bound, const Telemetry& telemetry) {
  RY_CHECK(time >= bound.time, "no collective beats its bandwidth lower bound");
  check_carried(fabric, time, telemetry);
}

void check_delivery(const Schedule& schedule, const Telemetry& telemetry) {
  Bytes sent;
  std::uint64_t messages = 0;
  for (const EdgeLoad& edge : edge_loads(schedule)) {
    sent += edge.bytes;
    messages += edge.messages;
  }
  RY_CHECK(telemetry.messages == messages, "every message that is posted is delivered");
  RY_CHECK(telemetry.payload == sent, "no byte is lost or made");
}

}  // namespace railyard
