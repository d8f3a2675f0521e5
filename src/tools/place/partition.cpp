#include "tools/place/partition.h"

#include <metis.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "base/check.h"

namespace railyard {

namespace {

using Indices = std::vector<std::uint32_t>;

/// How much two units have to say to each other.
double weight_of(const UnitEdge& edge, const KindWeights& weights) { return weights[index(edge.kind)] * (edge.out + edge.in); }

/// A part of a graph as METIS takes it.
struct MetisGraph {
  std::vector<idx_t> first = {0}, other, weight;
};

MetisGraph metis_graph(const UnitGraph& graph, const KindWeights& weights, const Indices& units) {
  constexpr double kLargest = 1'000'000;  // of an edge: sums of all stay far below 2^31
  std::vector<idx_t> local(graph.size(), -1);
  for (std::size_t i = 0; i < units.size(); i++) local[units[i]] = static_cast<idx_t>(i);
  std::vector<std::map<idx_t, double>> edges(units.size());
  double most = 0;
  for (std::size_t i = 0; i < units.size(); i++)
    for (const UnitEdge& edge : graph[units[i]])
      if (local[edge.other] >= 0) most = std::max(most, edges[i][local[edge.other]] += weight_of(edge, weights));
  MetisGraph out;
  double all = 0;
  for (const auto& some : edges)
    for (const auto& [to, value] : some) all += value;
  const double scale = std::min(kLargest / std::max(most, 1e-300), 1e9 / std::max(all, 1e-300));
  for (const auto& some : edges) {
    for (const auto& [to, value] : some) {
      out.other.push_back(to);
      out.weight.push_back(std::max<idx_t>(1, static_cast<idx_t>(value * scale)));
    }
    out.first.push_back(static_cast<idx_t>(out.other.size()));
  }
  return out;
}

/// A part for every unit, of about these sizes.
std::vector<idx_t> run_metis(MetisGraph graph, const Indices& sizes) {
  auto count = static_cast<idx_t>(graph.first.size() - 1), parts = static_cast<idx_t>(sizes.size()), constraints = idx_t{1};
  std::vector<idx_t> part(static_cast<std::size_t>(count), 0);
  if (parts == 1 || graph.other.empty()) return part;
  std::vector<real_t> targets;
  for (const std::uint32_t size : sizes) targets.push_back(static_cast<real_t>(size) / static_cast<real_t>(count));
  std::array<idx_t, METIS_NOPTIONS> options = {};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NCUTS] = 4;
  idx_t cut = 0;
  const int status =
      METIS_PartGraphRecursive(&count, &constraints, graph.first.data(), graph.other.data(), nullptr, nullptr,
                               graph.weight.data(), &parts, targets.data(), nullptr, options.data(), &cut, part.data());
  RY_CHECK(status == METIS_OK, "METIS takes every graph that is well formed");
  return part;
}

/// Moves units from parts that are too full to parts with room, those that lose least first, until all sizes are exact.
void make_exact(const MetisGraph& graph, const Indices& sizes, std::vector<idx_t>& part) {
  std::vector<std::int64_t> room(sizes.begin(), sizes.end());
  for (const idx_t one : part) room[static_cast<std::size_t>(one)]--;
  const auto pull = [&](std::size_t unit, idx_t to) {
    std::int64_t sum = 0;
    for (auto at = static_cast<std::size_t>(graph.first[unit]); at < static_cast<std::size_t>(graph.first[unit + 1]); at++)
      if (part[static_cast<std::size_t>(graph.other[at])] == to) sum += graph.weight[at];
    return sum;
  };
  for (std::size_t to = 0; to < sizes.size(); to++)
    while (room[to] > 0) {
      std::size_t best = part.size();
      std::int64_t most = std::numeric_limits<std::int64_t>::min();
      for (std::size_t unit = 0; unit < part.size(); unit++) {
        if (room[static_cast<std::size_t>(part[unit])] >= 0) continue;
        const std::int64_t gain = pull(unit, static_cast<idx_t>(to)) - pull(unit, part[unit]);
        if (gain > most) most = gain, best = unit;
      }
      room[static_cast<std::size_t>(part[best])]++;
      part[best] = static_cast<idx_t>(to);
      room[to]--;
    }
}

class Partitioner {
 public:
  Partitioner(const UnitGraph& graph, const KindWeights& weights, const ServerTree& tree)
      : graph_(graph), weights_(weights), tree_(tree), seats_(graph.size()) {}

  Indices run(const Indices& servers) {
    Indices units(graph_.size());
    for (std::uint32_t unit = 0; unit < units.size(); unit++) units[unit] = unit;
    split(units, servers, tree_.levels);
    return seats_;
  }

 private:
  /// What of a cluster a server belongs to one level below `level`: a block of switches, then a scale-up domain.
  [[nodiscard]] std::uint32_t below(std::uint32_t server, std::uint32_t level) const {
    return level > 0 ? tree_.block(server, level - 1) : tree_.domain[server];
  }

  void split(const Indices& units, const Indices& servers, std::uint32_t level) {
    std::map<std::uint32_t, Indices> children;
    for (const std::uint32_t server : servers) children[below(server, level)].push_back(server);
    if (children.size() == servers.size()) return place_in_order(units, servers);
    if (children.size() == 1) return level > 0 ? split(units, servers, level - 1) : place_in_order(units, servers);
    Indices sizes;
    for (const auto& [child, some] : children) sizes.push_back(static_cast<std::uint32_t>(some.size()));
    const MetisGraph part_of_graph = metis_graph(graph_, weights_, units);
    std::vector<idx_t> part = run_metis(part_of_graph, sizes);
    make_exact(part_of_graph, sizes, part);
    std::size_t nth = 0;
    for (const auto& [child, some] : children) {
      Indices theirs;
      for (std::size_t i = 0; i < units.size(); i++)
        if (static_cast<std::size_t>(part[i]) == nth) theirs.push_back(units[i]);
      nth++;
      if (level > 0)
        split(theirs, some, level - 1);
      else
        place_in_order(theirs, some);
    }
  }

  /// Alike servers: any order will do. Where each is alone below its switch, which one gets what still counts further up, and
  /// that was settled there.
  void place_in_order(const Indices& units, const Indices& servers) {
    for (std::size_t i = 0; i < units.size(); i++) seats_[units[i]] = servers[i];
  }

  const UnitGraph& graph_;
  const KindWeights& weights_;
  const ServerTree& tree_;
  Indices seats_;
};

}  // namespace

std::vector<std::uint32_t> partition_units(const UnitGraph& graph, const KindWeights& weights, const ServerTree& tree,
                                           const std::vector<std::uint32_t>& servers) {
  RY_CHECK(servers.size() == graph.size(), "every unit has a server");
  return Partitioner(graph, weights, tree).run(servers);
}

}  // namespace railyard
