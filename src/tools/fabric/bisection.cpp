#include "tools/fabric/bisection.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <set>

namespace railyard {

namespace {

/// Dinic's maximum flow. Capacities are whole Mb/s, so that it ends and sums do not overflow.
class FlowNetwork {
 public:
  explicit FlowNetwork(std::size_t nodes) : out_(nodes), level_(nodes), next_(nodes) {}

  void join(std::size_t from, std::size_t to, std::int64_t there, std::int64_t back, Tier tier) {
    if (there == 0 && back == 0) return;
    out_[from].push_back(edges_.size());
    edges_.push_back({to, there, tier});
    out_[to].push_back(edges_.size());
    edges_.push_back({from, back, tier});
  }

  std::int64_t run(std::size_t source, std::size_t sink) {
    std::int64_t sum = 0;
    while (find_levels(source) && level_[sink] >= 0) {
      std::fill(next_.begin(), next_.end(), 0);
      while (const std::int64_t more = push(source, sink, std::numeric_limits<std::int64_t>::max())) sum += more;
    }
    return sum;
  }

  /// Tiers of the edges that are full between what the source still reaches and the rest. REQUIRES: run.
  [[nodiscard]] std::vector<Tier> full_tiers() const {
    std::set<Tier> tiers;
    for (std::size_t from = 0; from < out_.size(); from++)
      for (const std::size_t edge : out_[from])
        if (level_[from] >= 0 && level_[edges_[edge].to] < 0) tiers.insert(edges_[edge].tier);
    return {tiers.begin(), tiers.end()};
  }

 private:
  struct Edge {
    std::size_t to;
    std::int64_t left;
    Tier tier;
  };

  bool find_levels(std::size_t source) {
    std::fill(level_.begin(), level_.end(), -1);
    level_[source] = 0;
    for (std::deque<std::size_t> open = {source}; !open.empty(); open.pop_front())
      for (const std::size_t edge : out_[open.front()])
        if (edges_[edge].left > 0 && level_[edges_[edge].to] < 0) {
          level_[edges_[edge].to] = level_[open.front()] + 1;
          open.push_back(edges_[edge].to);
        }
    return true;
  }

  std::int64_t push(std::size_t at, std::size_t sink, std::int64_t most) {
    if (at == sink) return most;
    for (; next_[at] < out_[at].size(); next_[at]++) {
      const std::size_t edge = out_[at][next_[at]];
      if (edges_[edge].left == 0 || level_[edges_[edge].to] != level_[at] + 1) continue;
      const std::int64_t sent = push(edges_[edge].to, sink, std::min(most, edges_[edge].left));
      if (sent == 0) continue;
      edges_[edge].left -= sent;
      edges_[edge ^ 1].left += sent;
      return sent;
    }
    return 0;
  }

  std::vector<std::vector<std::size_t>> out_;
  std::vector<Edge> edges_;
  std::vector<int> level_;
  std::vector<std::size_t> next_;
};

std::int64_t megabits(BitsPerSecond rate) { return rate.count() / 1'000'000; }
std::int64_t capacity(const Fabric& f, TrunkId trunk) {
  return megabits(f.trunk_port_rate[trunk]) * f.trunk_ports[trunk].size();
}

/// GPUs before this one are the first half: whole servers, whole scale-up domains.
std::uint32_t middle_of(const Fabric& f) {
  const std::uint32_t unit = std::max(f.per_node, f.scale_up.domain), units = (f.endpoints() - 1) / unit + 1;
  if (units > 1) return units / 2 * unit;
  return f.endpoints() / 2;  // one server or domain: nothing to keep together
}

/// What hosts offer and take at one place of the network.
struct Halves {
  std::int64_t here = 0, there = 0;
};

/// Adds the hosts of `at` between source and sink, and sums them up.
void attach(FlowNetwork& net, std::size_t source, std::size_t at, const Halves& halves, Halves& all) {
  net.join(source, at, halves.here, 0, Tier::host_up);
  net.join(at, source + 1, halves.there, 0, Tier::host_down);
  all.here += halves.here;
  all.there += halves.there;
}

FlowNetwork from_blocks(const Fabric& f, std::uint32_t middle, Halves& all) {
  const std::size_t blocks = f.blocks.size();
  FlowNetwork net(blocks + 2);
  std::vector<Halves> hosts(blocks);
  for (std::uint32_t i = 0; i < f.interfaces; i++) {
    const bool here = i * f.per_interface < middle;
    Halves& leaf = hosts[f.leaf[InterfaceId(i)].index()];
    (here ? leaf.here : leaf.there) += capacity(f, host_up_trunk(f, InterfaceId(i)));
  }
  for (const BlockId id : ids(f.blocks)) {
    attach(net, blocks, id.index(), hosts[id.index()], all);
    const Block& block = f.blocks[id];
    if (block.parent.valid())
      net.join(id.index(), block.parent.index(), capacity(f, block.up), capacity(f, block.down), f.trunk_tier[block.up]);
  }
  for (const CircuitBundle& bundle : f.circuits)
    net.join(bundle.a.index(), bundle.b.index(), capacity(f, bundle.there), capacity(f, bundle.back), Tier::across);
  return net;
}

FlowNetwork from_nodes(const Fabric& f, std::uint32_t middle, Halves& all) {
  const std::size_t nodes = f.kind.size();
  FlowNetwork net(nodes + 2);
  std::vector<Halves> hosts(nodes);
  for (const TrunkId trunk : ids(f.trunk_tier)) {
    const PortId port = f.trunk_ports[trunk].front();
    const NodeId from = f.port_from[port], to = f.port_to[port];
    if (f.trunk_tier[trunk] == Tier::host_up) {
      Halves& at = hosts[to.index()];
      (from.index() < middle ? at.here : at.there) += capacity(f, trunk);
    } else if (f.trunk_tier[trunk] == Tier::across) {
      net.join(from.index(), to.index(), capacity(f, trunk), 0, Tier::across);
    }
  }
  for (std::size_t node = 0; node < nodes; node++) attach(net, nodes, node, hosts[node], all);
  return net;
}

}  // namespace

Bisection bisect(const Fabric& f) {
  Bisection result;
  const std::uint32_t middle = middle_of(f);
  result.gpus_here = std::min(middle, f.endpoints() - middle);
  result.gpus_there = f.endpoints() - result.gpus_here;
  Halves all;
  FlowNetwork net = f.drawn ? from_nodes(f, middle, all) : from_blocks(f, middle, all);
  const std::size_t source = f.drawn ? f.kind.size() : f.blocks.size();
  result.bandwidth_gbps = static_cast<double>(net.run(source, source + 1)) / 1000;
  result.ideal_gbps = static_cast<double>(std::min(all.here, all.there)) / 1000;
  result.where = net.full_tiers();
  return result;
}

}  // namespace railyard
