#include "tools/place/link_cost.h"

#include <algorithm>
#include <cmath>

namespace railyard {

LinkCost::LinkCost(const UnitGraph& graph, const ServerTree& tree, const KindWeights& weights)
    : graph_(graph), tree_(tree), weights_(weights) {}

void LinkCost::seat(const std::vector<std::uint32_t>& servers) {
  servers_ = servers;
  seconds_.assign(kGroupKinds * tree_.rate.size() * 2, 0);
  sums_.fill(0);
  for (std::uint32_t unit = 0; unit < graph_.size(); unit++)
    for (const UnitEdge& edge : graph_[unit])
      if (edge.other > unit) count(servers_[unit], servers_[edge.other], edge, 1);
}

double LinkCost::cost() const {
  double sum = 0;
  for (std::size_t kind = 0; kind < kGroupKinds; kind++)
    sum += weights_[kind] * std::sqrt(std::sqrt(std::max(sums_[kind], 0.0)));
  return sum;
}

void LinkCost::move(std::uint32_t unit, std::uint32_t server) {
  for (const UnitEdge& edge : graph_[unit]) {
    const std::uint32_t other = servers_[edge.other];
    count(servers_[unit], other, edge, -1);
    count(server, other, edge, 1);
  }
  servers_[unit] = server;
}

/// What `edge` puts on the links between its unit on server `a` and the other on `b`: up to the first block that both share.
void LinkCost::count(std::uint32_t a, std::uint32_t b, const UnitEdge& edge, double sign) {
  if (tree_.domain[a] == tree_.domain[b]) return;
  const auto kind = index(edge.kind);
  for (std::uint32_t level = 0; level < tree_.levels; level++) {
    const std::size_t x = tree_.block(a, level), y = tree_.block(b, level);
    if (x == y) return;
    if (tree_.rate[x] > 0) {
      add(kind, 2 * x, sign * edge.out / tree_.rate[x]);
      add(kind, 2 * x + 1, sign * edge.in / tree_.rate[x]);
    }
    if (tree_.rate[y] > 0) {
      add(kind, 2 * y, sign * edge.in / tree_.rate[y]);
      add(kind, 2 * y + 1, sign * edge.out / tree_.rate[y]);
    }
  }
}

void LinkCost::add(std::size_t kind, std::size_t link, double seconds) {
  double& now = seconds_[kind * tree_.rate.size() * 2 + link];
  const double before = now * now;
  now += seconds;
  const double after = now * now;
  sums_[kind] += after * after - before * before;
}

}  // namespace railyard
