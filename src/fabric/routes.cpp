#include "fabric/routes.h"

#include <algorithm>
#include <map>

#include "fabric/live.h"

namespace railyard {

namespace {

/// The blocks of both ends from the leaf upwards; those they share are left out.
struct Climb {
  std::vector<BlockId> from, to;
  bool meet = false;
};

std::vector<BlockId> chain(const Fabric& f, BlockId block) {
  std::vector<BlockId> all;
  for (; block.valid(); block = f.blocks[block].parent) all.push_back(block);
  return all;
}

Climb climb(const Fabric& f, BlockId a, BlockId b) {
  Climb path{chain(f, a), chain(f, b), false};
  while (!path.from.empty() && !path.to.empty() && path.from.back() == path.to.back()) {
    path.from.pop_back();
    path.to.pop_back();
    path.meet = true;
  }
  return path;
}

BlockId top_of(const Fabric& f, BlockId block) {
  while (f.blocks[block].parent.valid()) block = f.blocks[block].parent;
  return block;
}

bool have_common_top(const Fabric& f, BlockId a, BlockId b) { return top_of(f, a) == top_of(f, b); }

std::uint32_t pod_index(const Fabric& f, BlockId top) {
  return static_cast<std::uint32_t>(std::find(f.pods.begin(), f.pods.end(), top) - f.pods.begin());
}

/// The bundle between two blocks and whether `a` is its first end.
std::pair<const CircuitBundle*, bool> circuit(const Fabric& f, BlockId a, BlockId b) {
  for (const CircuitBundle& bundle : f.circuits) {
    if (bundle.a == a && bundle.b == b) return {&bundle, true};
    if (bundle.a == b && bundle.b == a) return {&bundle, false};
  }
  RY_CHECK(false, "pods that are neighbours on a path are joined by circuits");
}

bool reaches(const Fabric& f, BlockId a, BlockId b) {
  return have_common_top(f, a, b) || (!f.pods.empty() && pod_index(f, top_of(f, a)) < f.pods.size());
}

TrunkId scale_up_trunk(const Fabric& f, EndpointId from, EndpointId to) {
  const ScaleUp& s = f.scale_up;
  const std::uint32_t first = s.first.index();
  if (s.wiring == ScaleUpWiring::switched) return TrunkId(first + from.index());
  const std::uint32_t domain = f.domain_of(from), start = domain * s.domain;
  const std::uint32_t members = std::min(s.domain, f.endpoints() - start);
  const std::uint32_t a = from.index() - start, b = to.index() - start;
  return TrunkId(first + start * (s.domain - 1) + a * (members - 1) + b - (b > a ? 1 : 0));
}

void add_scale_up(const Fabric& f, EndpointId from, EndpointId to, TrunkPath& path, std::uint32_t& hop) {
  path.push_back({scale_up_trunk(f, from, to), hop++, 1});
  if (f.scale_up.wiring == ScaleUpWiring::switched) path.push_back({scale_down_trunk(f, to), hop++, 1});
}

void add_circuits(const Fabric& f, BlockId from, BlockId to, TrunkPath& path, std::uint32_t& hop) {
  for (std::uint32_t at = pod_index(f, from), goal = pod_index(f, to); at != goal;) {
    const std::uint32_t next = f.next_pod[at][goal];
    const auto [bundle, forward] = circuit(f, f.pods[at], f.pods[next]);
    path.push_back({forward ? bundle->there : bundle->back, hop++, 1});
    at = next;
  }
}

void add_network(const Fabric& f, EndpointId from, EndpointId to, TrunkPath& path, std::uint32_t& hop) {
  path.push_back({host_up_trunk(f, f.interface_of(from)), hop++, 1});
  const Climb both = climb(f, f.leaf_of(from), f.leaf_of(to));
  const std::size_t tops = both.meet ? 0 : 1;  // blocks without a parent: circuits join them
  for (std::size_t i = 0; i + tops < both.from.size(); i++) path.push_back({f.blocks[both.from[i]].up, hop++, 1});
  if (!both.meet) add_circuits(f, both.from.back(), both.to.back(), path, hop);
  for (std::size_t i = both.to.size() - tops; i-- > 0;) path.push_back({f.blocks[both.to[i]].down, hop++, 1});
  path.push_back({host_down_trunk(f, f.interface_of(to)), hop++, 1});
}

/// Equal shares at every node over the ports that lead on, which `hops_at` knows.
template<class HopsAt>
void add_drawn(const Fabric& f, EndpointId from, EndpointId to, const HopsAt& hops_at, TrunkPath& path) {
  std::map<NodeId, double> frontier = {{f.node_of(from), 1.0}};
  for (std::uint32_t hop = 0; !frontier.contains(f.node_of(to)); hop++) {
    std::map<NodeId, double> next;
    std::map<TrunkId, double> shares;
    for (const auto& [node, share] : frontier) {
      const auto& hops = hops_at(node);
      const auto choices = static_cast<std::uint32_t>(hops.size());
      for (std::uint32_t i = 0; i < choices; i++) {
        shares[f.port_trunk[hops[i]]] += share / choices;
        next[f.port_to[hops[i]]] += share / choices;
      }
    }
    for (const auto& [trunk, share] : shares) path.push_back({trunk, hop, share});
    frontier = std::move(next);
  }
}

Hops drawn_hops(const Fabric& f, NodeId at, EndpointId to) {
  const DrawnRoutes& routes = *f.drawn;
  Hops hops;
  if (at == f.node_of(to)) return hops;
  const auto distance = [&](NodeId node) {
    if (node == f.node_of(to)) return std::uint32_t{0};
    return f.kind[node] == NodeKind::host ? std::uint32_t{DrawnRoutes::kUnreachable} : std::uint32_t{routes.hops(node, to)};
  };
  std::uint32_t best = DrawnRoutes::kUnreachable;
  const auto far_end = [&](TrunkId trunk) { return f.port_to[f.trunk_ports[trunk].front()]; };
  for (const TrunkId trunk : routes.from.row(at)) best = std::min(best, distance(far_end(trunk)));
  RY_CHECK(best < DrawnRoutes::kUnreachable, "the builder refuses drawings whose endpoints do not reach each other");
  for (const TrunkId trunk : routes.from.row(at))
    if (distance(far_end(trunk)) == best) hops.add(f.trunk_ports[trunk]);
  return hops;
}

/// Part `index` of `parts` equal ones of a trunk's ports.
IdRange<PortId> part(const Fabric& f, TrunkId trunk, std::uint32_t index, std::uint32_t parts) {
  const IdRange<PortId> ports = f.trunk_ports[trunk];
  const std::uint32_t size = ports.size() / parts;
  return {ports[index * size], size};
}

/// The trunk out of a block of switches: down to the host or to the child block on the way if `to` lies below, else up.
TrunkId trunk_out_of(const Fabric& f, BlockId block, EndpointId to) {
  BlockId child = f.leaf_of(to);
  if (child == block) return host_down_trunk(f, f.interface_of(to));
  for (BlockId above = f.blocks[child].parent; above.valid(); child = above, above = f.blocks[child].parent)
    if (above == block) return f.blocks[child].down;
  if (f.blocks[block].parent.valid()) return f.blocks[block].up;
  const auto [bundle, forward] = circuit(f, block, f.pods[f.next_pod[pod_index(f, block)][pod_index(f, child)]]);
  return forward ? bundle->there : bundle->back;
}

IdRange<PortId> switch_ports(const Fabric& f, NodeId at, EndpointId to) {
  const BlockId block = f.block_of[at];
  return part(f, trunk_out_of(f, block, to), at.index() - f.blocks[block].first.index(), f.blocks[block].width);
}

IdRange<PortId> scale_up_ports(const Fabric& f, NodeId at, EndpointId to) {
  const std::uint32_t domain = at.index() - f.scale_up.first_switch.index();
  const EndpointId first(domain * f.scale_up.domain);
  return f.trunk_ports[scale_down_trunk(f, f.domain_of(to) == domain ? to : relay_of(f, first, to))];
}

IdRange<PortId> host_ports(const Fabric& f, NodeId at, EndpointId to) {
  const EndpointId from(at.index() * f.per_interface);  // of several behind one NIC, the first speaks for all
  if (share_domain(f, from, to)) return f.trunk_ports[scale_up_trunk(f, from, to)];
  const EndpointId relay = relay_of(f, from, to);
  if (relay != from) return f.trunk_ports[scale_up_trunk(f, from, relay)];
  return f.trunk_ports[host_up_trunk(f, f.interface_of(from))];
}

}  // namespace

TrunkId scale_down_trunk(const Fabric& f, EndpointId to) {
  RY_CHECK(f.scale_up.wiring == ScaleUpWiring::switched, "a mesh has no switch");
  return TrunkId(f.scale_up.first.index() + f.endpoints() + to.index());
}

PortId Hops::operator[](std::uint32_t i) const {
  RY_CHECK(i < size_, "a choice lies among those there are");
  if (i < first_.size()) return first_[i];
  i -= first_.size();
  for (const IdRange<PortId>& range : more_) {
    if (i < range.size()) return range[i];
    i -= range.size();
  }
  RY_CHECK(false, "ranges add up to the size");
}

bool share_domain(const Fabric& f, EndpointId a, EndpointId b) {
  return f.scale_up.domain > 1 && f.domain_of(a) == f.domain_of(b);
}

std::vector<TrunkId> scale_up_trunks(const Fabric& f, EndpointId from) {
  if (f.scale_up.wiring == ScaleUpWiring::switched) return {scale_up_trunk(f, from, from)};
  std::vector<TrunkId> trunks;
  const std::uint32_t start = f.domain_of(from) * f.scale_up.domain;
  for (std::uint32_t to = start; to < std::min(start + f.scale_up.domain, f.endpoints()); to++)
    if (to != from.index()) trunks.push_back(scale_up_trunk(f, from, EndpointId(to)));
  return trunks;
}

EndpointId relay_of(const Fabric& f, EndpointId from, EndpointId to) {
  if (f.drawn || f.scale_up.domain == 1 || reaches(f, f.leaf_of(from), f.leaf_of(to))) return from;
  const std::uint32_t start = f.domain_of(from) * f.scale_up.domain, end = std::min(start + f.scale_up.domain, f.endpoints());
  const std::uint32_t server = f.server_of(from) * f.per_node;  // its own server first, then the rest of the domain
  for (std::uint32_t i = 0; i < end - start; i++) {
    const EndpointId relay(start + (server - start + i) % (end - start));
    if (reaches(f, f.leaf_of(relay), f.leaf_of(to))) return relay;
  }
  RY_CHECK(false, "every rail leads out of every scale-up domain");
}

IdRange<PortId> next_ports(const Fabric& f, NodeId at, EndpointId to) {
  RY_CHECK(!f.drawn && at != f.node_of(to), "in a fabric with tiers neighbouring ports lead on, but at the destination");
  if (f.kind[at] == NodeKind::scale_up) return scale_up_ports(f, at, to);
  return f.kind[at] == NodeKind::host ? host_ports(f, at, to) : switch_ports(f, at, to);
}

Hops next_hops(const Fabric& f, NodeId at, EndpointId to) {
  if (f.drawn) return drawn_hops(f, at, to);
  Hops hops;
  if (is_switch(f.kind[at]) && !reaches(f, f.block_of[at], f.leaf_of(to))) return hops;
  if (at != f.node_of(to)) hops.add(next_ports(f, at, to));
  return hops;
}

void find_path(const Fabric& f, EndpointId from, EndpointId to, TrunkPath& path) {
  RY_CHECK(from != to, "a message goes to another endpoint");
  if (f.drawn)
    return add_drawn(
        f, from, to, [&](NodeId at) { return next_hops(f, at, to); }, path);
  std::uint32_t hop = 0;
  if (share_domain(f, from, to)) return add_scale_up(f, from, to, path, hop);
  const EndpointId relay = relay_of(f, from, to);
  if (relay != from) add_scale_up(f, from, relay, path, hop);
  add_network(f, relay, to, path, hop);
}

void find_path(const Fabric& f, const LivePorts& live, EndpointId from, EndpointId to, TrunkPath& path) {
  if (live.all_live() || (!f.drawn && live.connects(from, to))) return find_path(f, from, to, path);
  if (!live.connects(from, to)) return;
  add_drawn(
      f, from, to, [&](NodeId at) -> const std::vector<PortId>& { return live.hops(at, to); }, path);
}

TrunkPath path_of(const Fabric& f, EndpointId from, EndpointId to) {
  TrunkPath path;
  find_path(f, from, to, path);
  return path;
}

namespace {

/// Sum over hops of what `pick` makes of the delays of each.
template<class Pick>
Picoseconds sum_of_hops(const Fabric& f, const TrunkPath& path, const Pick& pick) {
  Picoseconds sum;
  for (std::size_t i = 0; i < path.size();) {
    Picoseconds hop = f.trunk_delay[path[i].trunk];
    std::size_t next = i + 1;
    for (; next < path.size() && path[next].hop == path[i].hop; next++) hop = pick(hop, f.trunk_delay[path[next].trunk]);
    sum += hop;
    i = next;
  }
  return sum;
}

}  // namespace

Picoseconds delay_of(const Fabric& f, const TrunkPath& path) {
  return sum_of_hops(f, path, [](Picoseconds a, Picoseconds b) { return std::max(a, b); });
}

Picoseconds least_delay_of(const Fabric& f, const TrunkPath& path) {
  return sum_of_hops(f, path, [](Picoseconds a, Picoseconds b) { return std::min(a, b); });
}

}  // namespace railyard
