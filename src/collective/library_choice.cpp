// What the library picks: the algorithm and protocol that NCCL believes to be fastest. Beliefs, not times: they differ from
// what is measured, and a library that is wrong about its hardware picks wrongly all the same.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "collective/library_parts.h"

namespace railyard {

using enum CollectiveAlgorithm;

namespace {

constexpr CollectiveAlgorithm kAlgorithms[] = {ring, tree, nvls, in_network};
constexpr Protocol kProtocols[] = {Protocol::ll, Protocol::ll128, Protocol::simple};

// NCCL counts 12 GB/s for 100 Gb/s, a little less than what such a link carries without headers.
constexpr double kNetShare = 0.98;
constexpr double kPlateau = 1.4;  // rings across nodes wait longer once every rank has bytes on every channel

/// What NCCL expects of a collective, in microseconds and GB/s of algorithm bandwidth.
class Beliefs {
 public:
  Beliefs(CollectiveKind kind, const Communicator& group)
      : kind_(kind),
        group_(group),
        table_(library::tables(group.gpu.tuning)),
        inside_(group.link * table_.link_share / 1e9),
        net_(group.nodes > 1 ? group.net.point * kNetShare / 1e9 : std::numeric_limits<double>::infinity()) {}

  [[nodiscard]] double microseconds(CollectiveAlgorithm algorithm, Protocol protocol, Bytes size) const {
    double latency = latency_of(algorithm, protocol), bandwidth = bandwidth_of(algorithm, protocol);
    if (algorithm == tree) bandwidth *= library::tree_correction(protocol, size);
    const bool plateau = size.count() / (std::int64_t{group_.gpu.channels} * group_.ranks) >= 64;
    if (algorithm == ring && protocol == Protocol::simple && group_.nodes > 1 && reduces() && plateau) latency *= kPlateau;
    return latency + static_cast<double>(size.count()) / (1000 * bandwidth);
  }

 private:
  [[nodiscard]] bool reduces() const { return kind_ == CollectiveKind::all_reduce; }

  [[nodiscard]] double bandwidth_of(CollectiveAlgorithm algorithm, Protocol protocol) const {
    switch (algorithm) {
      case ring:
        return ring_bandwidth(protocol) / bus_factor(kind_, group_.ranks);
      case tree:
        return tree_bandwidth(protocol) / 2;
      case nvls:
        return std::min(group_.link * table_.nvls_share / 1e9, net_ / library::tree_sends(group_.nodes));
      default:
        return std::min(group_.link * std::max(table_.nvls_share, 0.4) / 1e9, net_);
    }
  }

  /// Across nodes as NCCL states it; inside one as it is measured, since the tables of different versions differ threefold.
  [[nodiscard]] double ll_limit() const {
    if (group_.nodes == 1) return static_cast<double>(group_.gpu.ll_rate.count()) / 8e9;
    return table_.ll_limit[library::spread(group_.nodes) - 1];
  }

  [[nodiscard]] double ring_bandwidth(Protocol protocol) const {
    const double all = std::min(inside_, net_);
    if (protocol == Protocol::ll) return std::min(ll_limit(), all / 2);
    if (protocol == Protocol::ll128)
      return std::min(all * (group_.per_node < 2 ? 0.7 : 0.92), group_.gpu.channels * table_.ll128_channel);
    return all;
  }

  [[nodiscard]] double tree_bandwidth(Protocol protocol) const {
    const std::size_t spread = library::spread(group_.nodes);
    const double net = group_.nodes > 1 ? net_ * 2 / library::tree_sends(group_.nodes) : net_;
    const double all = std::min(std::min(inside_, net) * 0.92, group_.gpu.channels * table_.tree_channel[spread]);
    if (protocol == Protocol::ll) return std::min(all / 3.8, ll_limit());
    if (protocol == Protocol::ll128)
      return std::min(all * (group_.nodes == 1 ? 7.0 / 9 : 120.0 / 128),
                      group_.gpu.channels * table_.tree_ll128_channel[spread]);
    return all;
  }

  [[nodiscard]] double latency_of(CollectiveAlgorithm algorithm, Protocol protocol) const {
    const std::size_t p = library::row(protocol);
    const double depth = std::floor(std::log2(group_.nodes));
    switch (algorithm) {
      case ring:
        return table_.ring_base[p] + ring_latency(p);
      case tree:
        return table_.tree_base[p] + 2 * ((group_.per_node - 1) * table_.tree_hop[p] + depth * table_.tree_net[p]);
      case nvls:
        return table_.nvls + 2 * depth * table_.nvls_net;
      default:
        return 2 * (3.7 + (group_.per_node - 1) * 0.4) + table_.collnet_net;
    }
  }

  [[nodiscard]] double ring_latency(std::size_t p) const {
    const bool rooted = kind_ == CollectiveKind::broadcast || kind_ == CollectiveKind::reduce;
    const double times = reduces() ? 2 : 1;
    const double steps = rooted ? group_.ranks : times * (group_.ranks - 1);
    const double across = group_.nodes == 1 ? 0 : times * (group_.nodes - (reduces() ? 0 : 1));
    const double post = group_.nodes == 1 ? 0 : table_.post * (p == library::row(Protocol::simple) ? 3 : 1);
    return (steps - across) * std::max(table_.ring_hop[p], post) + across * table_.ring_net[p];
  }

  CollectiveKind kind_;
  const Communicator& group_;
  const library::Tables& table_;
  double inside_, net_;  // GB/s of all channels together, inside a node and between nodes
};

bool is_direct(CollectiveKind kind) { return kind == CollectiveKind::all_to_all || kind == CollectiveKind::send; }

template<class Visit>
void for_each_choice(CollectiveKind kind, const Communicator& group, Visit visit) {
  for (const CollectiveAlgorithm a : kAlgorithms)
    for (const Protocol p : kProtocols)
      if (library::exists(kind, a, p, group)) visit(a, p);
}

}  // namespace

Pick favourite(CollectiveKind kind, Bytes size, const Communicator& group) {
  if (is_direct(kind)) return {direct, Protocol::simple};
  const Beliefs beliefs(kind, group);
  Pick picked;
  double best = std::numeric_limits<double>::infinity();
  for_each_choice(kind, group, [&](CollectiveAlgorithm a, Protocol p) {
    const double believed = beliefs.microseconds(a, p, size);
    if (believed >= best) return;
    best = believed;
    picked = {a, p};
  });
  return picked;
}

Estimate choose(CollectiveKind kind, Bytes size, const Communicator& group) {
  const Pick first = favourite(kind, size, group);
  if (is_direct(kind)) return *estimate(kind, first.algorithm, first.protocol, size, group);
  const Beliefs beliefs(kind, group);
  // Up to so many times its best belief, NCCL's tables rule nothing out: they do not know the fabric.
  const double limit = beliefs.microseconds(first.algorithm, first.protocol, size) * group.constants.flow_error;
  std::optional<Estimate> picked;
  for_each_choice(kind, group, [&](CollectiveAlgorithm a, Protocol p) {
    if (beliefs.microseconds(a, p, size) > limit || (group.nodes == 1 && a != first.algorithm)) return;
    const std::optional<Estimate> found = estimate(kind, a, p, size, group);
    if (!picked || found->time < picked->time) picked = found;
  });
  return *picked;
}

}  // namespace railyard
