#include "sim/step/switch_trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "fabric/routes.h"
#include "sim/collective/group.h"

namespace railyard {

namespace {

/// Members that send: as many of every domain as the smallest has.
std::size_t rails_of(const std::vector<std::vector<EndpointId>>& nodes) {
  std::size_t rails = nodes.front().size();
  for (const auto& node : nodes) rails = std::min(rails, node.size());
  return rails;
}

SeatedGroup rail_of(const std::vector<std::vector<EndpointId>>& nodes, std::size_t rail) {
  SeatedGroup group;
  for (const auto& node : nodes) group.seats.push_back(node[rail]);
  group.shape.positions = static_cast<std::uint32_t>(group.seats.size());
  return group;
}

/// Of what is at or below every place in a tree: members, and those of them that are here.
struct Below {
  double all = 0, here = 0;
};
std::vector<Below> count_below(const SeatedGroup& group, const std::vector<bool>& here) {
  const Table<PositionId, PositionId>& parent = group.shape.tree.parent;
  std::vector<Below> below(parent.size());
  for (std::uint32_t i = 0; i < group.shape.positions; i++)
    for (PositionId at(i); at.valid(); at = parent[at]) {
      below[at.index()].all++;
      if (here[group.seats[i].index()]) below[at.index()].here++;
    }
  return below;
}

/// What a link with `k` of `m` members below it carries of the tree's part.
struct UpAndDown {
  double up = 1, down = 1;
};
UpAndDown shares_of(CollectiveKind kind, double k, double m) {
  if (kind == CollectiveKind::reduce_scatter) return {1, k / m};
  if (kind == CollectiveKind::all_gather) return {k / m, (m - k) / m};
  return {};
}

/// The longest way through the root, and what its switches need to compute: each hands on once up and once down, the root once.
Picoseconds latency_of(const Fabric& fabric, const SeatedGroup& group) {
  constexpr std::size_t kMost = 64;  // members that are looked at, evenly apart
  Picoseconds longest;
  const std::size_t looked_at = std::min(group.seats.size() - 1, kMost);
  for (std::size_t i = 0; i < looked_at; i++) {
    const EndpointId other = group.seats[1 + i * (group.seats.size() - 1) / looked_at];
    longest = std::max(longest, delay_of(fabric, path_of(fabric, group.seats.front(), other)));
  }
  std::int64_t levels = 0;
  for (PositionId at = group.shape.tree.parent[PositionId(0)]; at.valid(); at = group.shape.tree.parent[at]) levels++;
  return longest + kReducerLatency * (2 * levels - 1);
}

}  // namespace

bool add_trees(const Fabric& fabric, const std::vector<std::vector<EndpointId>>& nodes, CollectiveKind kind,
               const std::vector<bool>& here, SwitchTrees& trees) {
  const std::size_t rails = rails_of(nodes);
  for (std::size_t rail = 0; rail < rails; rail++) {
    SeatedGroup group = rail_of(nodes, rail);
    if (!add_reduction_tree(fabric, group)) return false;
    const std::vector<Below> below = count_below(group, here);
    const double part = 1.0 / static_cast<double>(rails), m = group.shape.positions;
    const auto add = [&](TrunkId trunk, double share) {
      if (share > 0) trees.hops.push_back({trunk, share});
    };
    for (std::size_t i = 0; i < group.up.size(); i++) {
      if (!group.up[i].valid()) continue;
      const UpAndDown shares = shares_of(kind, below[i].all, m);
      const double ours = part * below[i].here / below[i].all;
      add(group.up[i], shares.up * ours);
      add(group.down[i], shares.down * ours);
    }
    const auto end = static_cast<std::uint32_t>(trees.hops.size());
    if (end > (trees.flow_ends.empty() ? 0 : trees.flow_ends.back())) trees.flow_ends.push_back(end);
    trees.latency = std::max(trees.latency, latency_of(fabric, group));
  }
  return true;
}

namespace {

/// Groups that switches add up for; each once.
std::vector<Group> switched_groups(const Step& step) {
  std::vector<Group> groups;
  std::set<std::tuple<GroupKind, std::uint32_t, std::uint32_t, bool>> seen;
  const auto add = [&](const Op& op) {
    if (!op.by_switches || op.group.size == 1) return;
    const Group& g = op.group;
    if (seen.insert({g.kind, g.size, g.stride, g.mirrored}).second) groups.push_back(g);
  };
  for (const VirtualStageWork& work : step.works)
    for (const auto* segments : {&work.forward, &work.backward})
      for (const Segment& segment : *segments)
        for (const Op& op : segment.ops) add(op);
  for (const StageWork& stage : step.stages)
    for (const auto* chunks : {&stage.gradients, &stage.gathers})
      for (const std::vector<Op>& ops : *chunks)
        for (const Op& op : ops) add(op);
  return groups;
}

bool has_roots(const Fabric& fabric, const Placement& placement, const std::vector<std::uint32_t>& members) {
  Placement seats;
  for (const std::uint32_t member : members) seats.push(placement[RankId(member)]);
  const std::vector<std::vector<EndpointId>> nodes = nodes_of(fabric, seats);
  if (nodes.size() < 2) return true;
  for (std::size_t rail = 0; rail < rails_of(nodes); rail++) {
    SeatedGroup group = rail_of(nodes, rail);
    if (!add_reduction_tree(fabric, group)) return false;
  }
  return true;
}

}  // namespace

Diagnostics rootless_groups(const Scenario& scenario, const Step& step, const Fabric& fabric, const Placement& placement) {
  for (const Group& group : switched_groups(step)) {
    std::vector<bool> seen(step.layout.ranks(), false);
    for (std::uint32_t rank = 0; rank < step.layout.ranks(); rank++) {
      if (seen[rank]) continue;
      const std::vector<std::uint32_t> members = step.layout.members(group, rank);
      for (const std::uint32_t member : members) seen[member] = true;
      if (has_roots(fabric, placement, members)) continue;
      return {{Severity::error, "RY-RUN-007",
               fabric.drawn ? "a drawn fabric does not say which switches reduce"
                            : fmt::format("no switch is above all {} ranks of a {} group, the one of rank {}", members.size(),
                                          name_of(group.kind), rank),
               "remove switch_reduction, or use a fabric whose switches join the group",
               scenario.keys.where("parallel.switch_reduction")}};
    }
  }
  return {};
}

}  // namespace railyard
