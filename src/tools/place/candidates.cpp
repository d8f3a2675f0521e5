#include "tools/place/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/choice.h"
#include "tools/place/anneal.h"
#include "tools/place/hosts.h"
#include "tools/place/partition.h"

namespace railyard {

namespace {

using Servers = std::vector<std::uint32_t>;

/// Which of the free servers a job takes, where there are more than it needs.
enum class Choose : std::uint8_t { first, fullest, even };
constexpr std::string_view kChoiceWords[] = {"", ", fullest leaves", ", spread over leaves"};

/// Free servers by leaf, pods with most of them first, then leaves with most.
std::vector<Servers> fullest_leaves(const ServerTree& tree, const Servers& free) {
  std::map<std::uint32_t, Servers> by_leaf;
  std::map<std::uint32_t, std::size_t> in_pod;
  const std::uint32_t pod_level = tree.levels > 1 ? tree.levels - 2 : 0;
  for (const std::uint32_t server : free) {
    by_leaf[tree.block(server, 0)].push_back(server);
    in_pod[tree.block(server, pod_level)]++;
  }
  std::vector<Servers> leaves;
  for (auto& [leaf, servers] : by_leaf) leaves.push_back(std::move(servers));
  std::stable_sort(leaves.begin(), leaves.end(), [&](const Servers& a, const Servers& b) {
    const std::uint32_t pod_a = tree.block(a.front(), pod_level), pod_b = tree.block(b.front(), pod_level);
    if (pod_a != pod_b) return std::pair(in_pod[pod_b], pod_a) < std::pair(in_pod[pod_a], pod_b);
    return a.size() > b.size();
  });
  return leaves;
}

/// `count` of the free servers, in ascending order.
Servers chosen(const ServerTree& tree, Servers free, std::size_t count, Choose how) {
  std::sort(free.begin(), free.end());
  Servers out;
  const std::vector<Servers> leaves = fullest_leaves(tree, free);
  if (how == Choose::first) out = std::move(free);
  if (how == Choose::fullest)
    for (const Servers& leaf : leaves) out.insert(out.end(), leaf.begin(), leaf.end());
  for (std::size_t seat = 0; how == Choose::even && out.size() < count; seat++)
    for (const Servers& leaf : leaves)
      if (seat < leaf.size()) out.push_back(leaf[seat]);
  out.resize(count);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

SeatSearch::SeatSearch(const Scenario& scenario, const Step& step, const Fabric& fabric, const Servers& free)
    : scenario_(scenario),
      fabric_(fabric),
      free_(free),
      ranks_(step.layout.ranks()),
      tree_(tree_of(fabric)),
      orders_(unit_orders(step.layout, fabric.per_node)) {
  for (const UnitOrder& order : orders_) graphs_.push_back(graph_of(step, order.units));
}

Servers SeatSearch::seats_of(const RankUnits& units, const Servers& servers) const {
  Servers seats(ranks_);
  for (std::size_t unit = 0; unit < units.size(); unit++)
    for (std::size_t i = 0; i < units[unit].size(); i++)
      seats[units[unit][i]] = servers[unit] * fabric_.per_node + static_cast<std::uint32_t>(i);
  return seats;
}

SeatPlan SeatSearch::planned(std::string name, std::size_t order, Servers servers, const KindWeights& weights) const {
  LinkCost cost(graphs_[order], tree_, weights);
  cost.seat(servers);
  return {std::move(name), false, seats_of(orders_[order].units, servers), order, servers, cost.cost()};
}

std::vector<SeatPlan> SeatSearch::baselines() const {
  const std::size_t needed = orders_.front().units.size();
  const Servers first(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(needed));
  std::vector<SeatPlan> all;
  all.push_back({"scheduler's order", true, seats_of(orders_.front().units, first), 0, first});
  const std::set<std::uint32_t> free(free_.begin(), free_.end());
  PlacementPlan plan{.seats = {}, .seed = scenario_.placement.seed};
  for (std::uint32_t server = 0; server < server_count(fabric_); server++)
    if (!free.contains(server)) plan.taken_servers.push_back(server);
  for (const PlacementPolicy policy : {PlacementPolicy::in_order, PlacementPolicy::round_robin, PlacementPolicy::random,
                                       PlacementPolicy::along_rails, PlacementPolicy::fragmented}) {
    plan.policy = policy;
    const Result<Placement> placed = place(plan, ranks_, fabric_, scenario_.keys);
    RY_CHECK(placed.has_value(), "nothing is out, and no file is read");
    SeatPlan& one = all.emplace_back(SeatPlan{std::string(name_of(policy)), true});
    for (const EndpointId seat : *placed) one.seats.push_back(seat.index());
    if (policy == PlacementPolicy::along_rails) continue;
    for (std::uint32_t rank = 0; rank < ranks_; rank += fabric_.per_node)
      one.servers.push_back(one.seats[rank] / fabric_.per_node);
  }
  return all;
}

std::vector<SeatPlan> SeatSearch::starts(const KindWeights& weights) const {
  std::vector<SeatPlan> all;
  std::set<Servers> seen;
  const std::size_t needed = orders_.front().units.size();
  for (const Choose how : {Choose::first, Choose::fullest, Choose::even}) {
    const Servers servers = chosen(tree_, free_, needed, how);
    if (!seen.insert(servers).second) continue;
    const std::string_view words = kChoiceWords[static_cast<std::size_t>(how)];
    for (std::size_t order = 0; order < orders_.size(); order++) {
      all.push_back(planned(fmt::format("{}{}", orders_[order].name, words), order, servers, weights));
      all.push_back(planned(fmt::format("partitioned, {}{}", orders_[order].name, words), order,
                            partition_units(graphs_[order], weights, tree_, servers), weights));
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const SeatPlan& a, const SeatPlan& b) { return a.links_s < b.links_s; });
  return all;
}

SeatPlan SeatSearch::improved(const SeatPlan& from, const KindWeights& weights, std::uint64_t seed) const {
  const std::string name = from.name.ends_with(", improved") ? from.name : from.name + ", improved";
  return planned(name, from.order, anneal(graphs_[from.order], weights, tree_, free_, from.servers, seed), weights);
}

}  // namespace railyard
