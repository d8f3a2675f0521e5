#include "analysis/patterns/path_diversity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/quantity_text.h"
#include "fabric/routes.h"
#include "sim/edge_qp_indices.h"

namespace railyard {

namespace {

constexpr std::size_t kMostEdges = 320;
constexpr std::uint32_t kQueuePairs[] = {1, 2, 4, 8, 16};
constexpr std::uint32_t kManyFlows = 16;  // queue pairs: enough for a choice that repeats another to show
constexpr double kFewer = 0.7;            // of the links that chance would use

/// Flows by port, and what every choice has.
class Choices {
 public:
  explicit Choices(const Fabric& fabric) : fabric_(fabric) {}

  void add(std::span<const PortId> path) {
    for (const PortId port : path) {
      const TrunkId trunk = fabric_.port_trunk[port];
      const Tier tier = fabric_.trunk_tier[trunk];
      if (tier != Tier::leaf_up && tier != Tier::spine_up) continue;
      Group& group = tiers_[tier][{trunk, fabric_.port_from[port]}];
      if (group.first == kUnknown) find_members(trunk, fabric_.port_from[port], group);
      group.flows[port.index() - group.first]++;
    }
  }

  [[nodiscard]] std::vector<PathChoice> summary() const {
    std::vector<PathChoice> all;
    for (const auto& [tier, groups] : tiers_) all.push_back(summary_of(tier, groups));
    std::erase_if(all, [](const PathChoice& choice) { return choice.members == 0; });
    return all;
  }

 private:
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  /// Ports of one switch that are equal choices, which are neighbours.
  struct Group {
    std::uint32_t first = kUnknown;
    std::vector<std::uint32_t> flows = {};
  };
  using Groups = std::map<std::pair<TrunkId, NodeId>, Group>;

  void find_members(TrunkId trunk, NodeId from, Group& group) const {
    std::uint32_t last = 0;
    for (const PortId port : fabric_.trunk_ports[trunk]) {
      if (fabric_.port_from[port] != from) continue;
      group.first = std::min(group.first, port.index());
      last = port.index();
    }
    group.flows.assign(last - group.first + 1, 0);
  }

  [[nodiscard]] PathChoice summary_of(Tier tier, const Groups& groups) const {
    PathChoice choice{.tier = std::string(name_of(tier, fabric_.topology))};
    double shared = 0, sum = 0;
    for (const auto& [key, group] : groups) {
      const auto members = static_cast<std::uint32_t>(group.flows.size());
      if (members < 2) continue;
      std::uint32_t flows = 0, most = 0;
      double bits = 0;
      for (const std::uint32_t count : group.flows) flows += count, most = std::max(most, count);
      for (const std::uint32_t count : group.flows) {
        choice.idle += count == 0 ? 1 : 0;
        shared += count > 1 ? count : 0;
        if (count > 0) bits -= count / static_cast<double>(flows) * std::log2(count / static_cast<double>(flows));
      }
      choice.groups++, choice.members += members, sum += flows;
      choice.expected_idle += expected_idle(members, flows) * members;
      choice.expected_collisions += flows * (1 - std::pow(1 - 1.0 / members, flows - 1.0));
      choice.worst_to_mean = std::max(choice.worst_to_mean, most * static_cast<double>(members) / flows);
      choice.effective += std::exp2(bits);
    }
    if (choice.groups == 0) return choice;
    choice.flows = sum / choice.groups;
    choice.idle /= choice.members, choice.expected_idle /= choice.members;
    choice.collisions = shared / sum, choice.expected_collisions /= sum;
    choice.effective /= choice.groups;
    choice.expected_worst_to_mean = expected_worst_to_mean(
        choice.members / choice.groups, std::max(1U, static_cast<std::uint32_t>(std::lround(choice.flows))), choice.groups);
    return choice;
  }

  const Fabric& fabric_;
  std::map<Tier, Groups> tiers_;
};

/// Takes the edges of a bundle through the network again and again.
class Router {
 public:
  Router(const Fabric& fabric, const PathPolicy& routing, std::vector<Edge> edges)
      : fabric_(fabric), bundle_{.edges = std::move(edges)}, numbers_(fabric, routing.hash) {}

  /// Queue pairs are numbered as if there were no other bundle.
  PathVariant variant(std::uint32_t queue_pairs, const HashSettings& hash) {
    PathVariant variant{.queue_pairs = queue_pairs, .with_qpn = hash.fields == HashFields::qpn, .pinned = hash.pinned};
    const EdgeQpIndices edge_qp_indices(fabric_, {&bundle_, 1}, queue_pairs);
    Choices choices(fabric_);
    std::vector<std::uint32_t> seen;
    for (std::size_t e = 0; e < bundle_.edges.size(); e++) {
      const Edge& edge = bundle_.edges[e];
      const QpIndices qp_indices = edge_qp_indices.of(0, e);
      for (std::uint32_t i = 0; i < queue_pairs; i++) {
        const FlowHeader header = header_of(fabric_, edge.from, edge.to, qp_indices.local + i, qp_indices.remote + i, numbers_);
        seen.push_back(hash.pinned ? header.destination : hash_of(header, hash.function, hash.fields, hash.seeds.front()));
        path_.clear();
        find_hashed_path(fabric_, edge.from, edge.to, header, hash, path_);
        choices.add(path_);
      }
    }
    variant.flows = static_cast<double>(seen.size());
    variant.entropy_bits = entropy_of(std::move(seen));
    variant.tiers = choices.summary();
    return variant;
  }

 private:
  static double entropy_of(std::vector<std::uint32_t> seen) {
    std::sort(seen.begin(), seen.end());
    double bits = 0;
    const auto all = static_cast<double>(seen.size());
    for (std::size_t first = 0; first < seen.size();) {
      std::size_t end = first;
      while (end < seen.size() && seen[end] == seen[first]) end++;
      const double share = static_cast<double>(end - first) / all;
      bits -= share * std::log2(share);
      first = end;
    }
    return bits;
  }

  const Fabric& fabric_;
  const Bundle bundle_;
  const QueuePairNumbers numbers_;
  std::vector<PortId> path_;  // scratch
};

bool leaves_its_leaf(const Fabric& fabric, const Edge& edge) {
  return fabric.leaf_of(relay_of(fabric, edge.from, edge.to)) != fabric.leaf_of(edge.to);
}

/// Of leaves in order, all edges, until there are enough.
std::vector<Edge> chosen_edges(const Fabric& fabric, const Bundle& bundle) {
  std::map<BlockId, std::vector<Edge>> leaves;
  for (const Edge& edge : bundle.edges)
    if (leaves_its_leaf(fabric, edge)) leaves[fabric.leaf_of(edge.from)].push_back(edge);
  std::vector<Edge> edges;
  for (const auto& [leaf, all] : leaves) {
    if (!edges.empty() && edges.size() + all.size() > kMostEdges) break;
    edges.insert(edges.end(), all.begin(), all.end());
  }
  return edges;
}

const PathChoice* second_of(const PathVariant& variant) { return variant.tiers.size() > 1 ? &variant.tiers[1] : nullptr; }

std::optional<Polarisation> polarisation_of(Router& router, const HashSettings& hash) {
  HashSettings same = hash;
  same.seeds = {hash.seeds.front()};
  same.own.clear();
  const PathVariant set = router.variant(kManyFlows, hash), alike = router.variant(kManyFlows, same);
  const PathChoice *second = second_of(set), *repeated = second_of(alike);
  if (!second || !repeated) return std::nullopt;
  return Polarisation{second->idle, second->expected_idle, repeated->idle,
                      1 - second->idle < kFewer * (1 - second->expected_idle)};
}

}  // namespace

std::optional<PathDiversity> path_diversity(const Fabric& fabric, const PathPolicy& routing, std::span<const Bundle> bundles,
                                            const std::vector<double>& bytes, const std::vector<std::string>& what) {
  if (fabric.drawn || !routing.fixed.empty()) return std::nullopt;
  std::size_t busiest = 0;
  double most = 0;
  for (std::size_t bundle = 0; bundle < bundles.size(); bundle++) {
    double moved = 0;
    if (bytes[bundle] * static_cast<double>(bundles[bundle].edges.size()) <= most) continue;
    for (const Edge& edge : bundles[bundle].edges)
      if (fabric.leaf_of(edge.from) != fabric.leaf_of(edge.to)) moved += edge.share * bytes[bundle];
    if (moved > most * (1 + 1e-9)) most = moved, busiest = bundle;
  }
  if (most <= 0) return std::nullopt;
  std::vector<Edge> edges = chosen_edges(fabric, bundles[busiest]);
  if (edges.empty()) return std::nullopt;
  PathDiversity result{.what = what[busiest],
                       .hashed = is_hashed(routing.policy),
                       .pairs = bundles[busiest].edges.size(),
                       .looked_at = edges.size(),
                       .variants = {},
                       .polarisation = {}};
  Router router(fabric, routing, std::move(edges));
  if (routing.hash.pinned) {
    result.variants.push_back(router.variant(routing.queue_pairs, routing.hash));
    result.variants.back().as_set = true;
  }
  HashSettings hash = routing.hash;
  hash.pinned = false;
  for (const HashFields fields : {HashFields::five_tuple, HashFields::qpn})
    for (const std::uint32_t queue_pairs : kQueuePairs) {
      hash.fields = fields;
      result.variants.push_back(router.variant(queue_pairs, hash));
      result.variants.back().as_set = result.hashed && queue_pairs == routing.queue_pairs && fields == routing.hash.fields;
    }
  if (result.variants.front().tiers.empty()) return std::nullopt;
  hash.fields = routing.hash.fields;
  result.polarisation = polarisation_of(router, hash);
  return result;
}

}  // namespace railyard
