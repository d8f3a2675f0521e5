#include "tools/place/anneal.h"

#include <algorithm>

#include "base/rng.h"

namespace railyard {

namespace {

constexpr std::uint32_t kNobody = UINT32_MAX;
constexpr double kFirstThreshold = 0.01;  // of the cost at the start
constexpr std::uint64_t kMovesPerUnit = 400, kFewestMoves = 20'000, kMostMoves = 400'000;

class Annealer {
 public:
  Annealer(const UnitGraph& graph, const KindWeights& weights, const ServerTree& tree, const std::vector<std::uint32_t>& free,
           std::uint64_t seed)
      : graph_(graph), tree_(tree), free_(free), cost_(graph, tree, weights), rng_(seed, "place", 0), under_(tree.rate.size()) {
    for (const std::uint32_t server : free) under_[tree.block(server, 0)].push_back(server);
  }

  std::vector<std::uint32_t> run(const std::vector<std::uint32_t>& seats) {
    cost_.seat(seats);
    holder_.assign(tree_.servers(), kNobody);
    for (std::uint32_t unit = 0; unit < seats.size(); unit++) holder_[seats[unit]] = unit;
    const std::uint64_t moves = std::clamp(kMovesPerUnit * seats.size(), kFewestMoves, kMostMoves);
    double now = cost_.cost();
    best_ = seats, least_ = now;
    const double first = now * kFirstThreshold;
    for (std::uint64_t i = 0; i < moves; i++) {
      const double left = 1 - static_cast<double>(i) / static_cast<double>(moves);
      now = attempt(now, first * left * left);
    }
    return best_;
  }

 private:
  /// A unit, and where it might go: anywhere, or below the leaf of somebody it talks to.
  double attempt(double now, double threshold) {
    const auto unit = rng_.below(static_cast<std::uint32_t>(graph_.size()));
    const std::vector<UnitEdge>& edges = graph_[unit];
    const std::vector<std::uint32_t>* among = &free_;
    if (!edges.empty() && rng_.below(2) == 0) {
      const UnitEdge& edge = edges[rng_.below(static_cast<std::uint32_t>(edges.size()))];
      among = &under_[tree_.block(cost_.servers()[edge.other], 0)];
    }
    const std::uint32_t from = cost_.servers()[unit], to = (*among)[rng_.below(static_cast<std::uint32_t>(among->size()))];
    const bool is_alike = tree_.block(from, 0) == tree_.block(to, 0) && tree_.domain[from] == tree_.domain[to];
    if (from == to || is_alike) return now;
    exchange(from, to);
    const double then = cost_.cost();
    if (then > now + threshold) {
      exchange(from, to);
      return now;
    }
    if (then < least_) least_ = then, best_ = cost_.servers();
    return then;
  }

  /// Whoever sits on either goes to the other.
  void exchange(std::uint32_t a, std::uint32_t b) {
    if (holder_[a] != kNobody) cost_.move(holder_[a], b);
    if (holder_[b] != kNobody) cost_.move(holder_[b], a);
    std::swap(holder_[a], holder_[b]);
  }

  const UnitGraph& graph_;
  const ServerTree& tree_;
  const std::vector<std::uint32_t>& free_;
  LinkCost cost_;
  Rng rng_;
  std::vector<std::vector<std::uint32_t>> under_;  // free servers by leaf
  std::vector<std::uint32_t> holder_;              // by server: the unit that sits there
  std::vector<std::uint32_t> best_;
  double least_ = 0;
};

}  // namespace

std::vector<std::uint32_t> anneal(const UnitGraph& graph, const KindWeights& weights, const ServerTree& tree,
                                  const std::vector<std::uint32_t>& free, const std::vector<std::uint32_t>& seats,
                                  std::uint64_t seed) {
  return Annealer(graph, weights, tree, free, seed).run(seats);
}

}  // namespace railyard
