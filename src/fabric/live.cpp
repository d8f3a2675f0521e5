#include "fabric/live.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace railyard {

namespace {

constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kUnreachable = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kLargestWeight = 64;  // tables of switches are small: finer shares are rounded

void divide_by_common(std::vector<std::uint64_t>& weights) {
  std::uint64_t common = 0;
  for (const std::uint64_t weight : weights) common = std::gcd(common, weight);
  for (std::uint64_t& weight : weights) weight /= common;
}

/// Small whole numbers in the same proportion, none of them zero.
void reduce(std::vector<std::uint64_t>& weights) {
  divide_by_common(weights);
  const std::uint64_t largest = *std::max_element(weights.begin(), weights.end());
  if (largest <= kLargestWeight) return;
  for (std::uint64_t& weight : weights)
    weight = std::max<std::uint64_t>(1, (2 * weight * kLargestWeight + largest) / (2 * largest));
  divide_by_common(weights);
}

}  // namespace

LivePorts::LivePorts(const Fabric& fabric, NextHopWeights weights) : fabric_(&fabric), weights_(weights) {
  RY_CHECK(weights == NextHopWeights::equal || !fabric.drawn, "in a drawing next hops are equal");
}

void LivePorts::set(PortId port, bool live) {
  if (is_live(port) == live) return;
  if (down_.empty()) {
    down_.resize(fabric_->port_from.size(), false);
    down_in_ = Table<TrunkId, std::uint32_t>(fabric_->trunk_tier.size());
  }
  down_[port.index()] = !live;
  std::uint32_t& in_trunk = down_in_[fabric_->port_trunk[port]];
  in_trunk = live ? in_trunk - 1 : in_trunk + 1;
  down_count_ = live ? down_count_ - 1 : down_count_ + 1;
  stale_ = true;
}

void LivePorts::withdraw(PortId port, bool withdrawn) {
  if (withdrawn_.empty()) withdrawn_.resize(fabric_->port_from.size(), false);
  if (withdrawn_[port.index()] == withdrawn) return;
  withdrawn_[port.index()] = withdrawn;
  withdrawn_count_ = withdrawn ? withdrawn_count_ + 1 : withdrawn_count_ - 1;
}

void LivePorts::leave_out_withdrawn() const {
  const auto withdrawn = [&](PortId port) { return is_withdrawn(port); };
  if (withdrawn_count_ == 0 || std::all_of(hops_.begin(), hops_.end(), withdrawn)) return;
  std::erase_if(hops_, withdrawn);
}

void LivePorts::forget() const {
  if (!stale_) return;
  stale_ = false;
  reaches_.clear();
  alike_.clear();
  row_.assign(fabric_->drawn ? 0 : fabric_->interfaces, kNoRow);
  distances_.assign(fabric_->drawn ? fabric_->endpoints() : 0, {});
}

std::uint32_t LivePorts::alike(EndpointId to) const {
  RY_CHECK(!all_live() && !fabric_->drawn, "only where something is down do destinations differ");
  forget();
  return row_of(to);
}

std::uint32_t LivePorts::row_of(EndpointId to) const {
  const Fabric& f = *fabric_;
  std::uint32_t& row = row_[f.interface_of(to).index()];
  if (row == kNoRow) {
    const BlockId leaf = f.leaf_of(to);
    RY_CHECK(f.blocks[leaf].width <= 64, "the ports of a NIC go to few switches");
    std::uint64_t leading = 0;
    for (const PortId port : f.trunk_ports[host_down_trunk(f, f.interface_of(to))])
      if (is_live(port)) leading |= std::uint64_t{1} << (f.port_from[port].index() - f.blocks[leaf].first.index());
    const auto [found, added] = alike_.try_emplace({leaf, leading}, static_cast<std::uint32_t>(reaches_.size()));
    if (added) {
      const std::size_t switches = f.kind.size() - f.leaf.size();
      const std::size_t counted = weights_ == NextHopWeights::paths ? switches : 0;
      reaches_.push_back({std::vector<bool>(switches), std::vector<bool>(switches), std::vector<std::uint64_t>(counted)});
    }
    row = found->second;
  }
  return row;
}

const std::vector<std::uint32_t>& LivePorts::distances(EndpointId to) const {
  const Fabric& f = *fabric_;
  std::vector<std::uint32_t>& distance = distances_[to.index()];
  if (!distance.empty()) return distance;
  distance.assign(f.kind.size(), kUnreachable);
  distance[f.node_of(to).index()] = 0;
  std::vector<NodeId> open = {f.node_of(to)};
  for (std::size_t i = 0; i < open.size(); i++)
    for (const TrunkId trunk : f.drawn->from.row(open[i])) {
      const NodeId next = f.port_to[f.trunk_ports[trunk].front()];
      if (distance[next.index()] != kUnreachable) continue;
      bool comes = false;  // from the other end to this one
      for (const PortId port : f.trunk_ports[trunk]) comes = comes || is_live(reverse_of(f, port));
      if (!comes) continue;
      distance[next.index()] = distance[open[i].index()] + 1;
      if (f.kind[next] != NodeKind::host) open.push_back(next);  // GPUs do not pass on what is not theirs
    }
  return distance;
}

bool LivePorts::reaches(NodeId at, EndpointId to) const {
  const Fabric& f = *fabric_;
  if (all_live() || at == f.node_of(to)) return true;
  forget();
  if (f.drawn) return distances(to)[at.index()] != kUnreachable;
  const auto leads_on = [&] {
    const Hops all = next_hops(f, at, to);
    for (std::uint32_t i = 0; i < all.size(); i++)
      if (is_live(all[i]) && reaches(f.port_to[all[i]], to)) return true;
    return false;
  };
  if (!is_switch(f.kind[at])) return leads_on();
  const std::size_t index = at.index() - f.leaf.size();
  Reach& reach = reach_of(to);
  if (!reach.known[index]) {
    reach.reached[index] = leads_on();
    reach.known[index] = true;
  }
  return reach.reached[index];
}

const std::vector<PortId>& LivePorts::hops(NodeId at, EndpointId to) const {
  const Fabric& f = *fabric_;
  hops_.clear();
  if (at == f.node_of(to)) return hops_;
  if (f.drawn && !all_live()) {
    forget();
    const std::vector<std::uint32_t>& distance = distances(to);
    for (const TrunkId trunk : f.drawn->from.row(at)) {
      const NodeId next = f.port_to[f.trunk_ports[trunk].front()];
      const bool passes = f.kind[next] != NodeKind::host || next == f.node_of(to);
      if (!passes || distance[next.index()] == kUnreachable || distance[next.index()] + 1 != distance[at.index()]) continue;
      for (const PortId port : f.trunk_ports[trunk])
        if (is_live(port)) hops_.push_back(port);
    }
    leave_out_withdrawn();
    return hops_;
  }
  const Hops all = next_hops(f, at, to);
  NodeId last;  // parallel links have one end
  bool leads_on = false;
  for (std::uint32_t i = 0; i < all.size(); i++) {
    if (!is_live(all[i])) continue;
    const NodeId next = f.port_to[all[i]];
    if (next != last) leads_on = reaches(last = next, to);
    if (leads_on) hops_.push_back(all[i]);
  }
  leave_out_withdrawn();
  if (weights_ == NextHopWeights::paths && is_switch(f.kind[at]) && !all_live()) weigh(to);
  return hops_;
}

std::uint64_t LivePorts::paths_from(NodeId at, EndpointId to) const {
  const Fabric& f = *fabric_;
  if (f.block_of[at] == f.leaf_of(to)) return 1;
  const std::size_t index = at.index() - f.leaf.size();
  if (const std::uint64_t known = reach_of(to).paths[index]; known > 0) return known;
  std::uint64_t paths = 0;
  const Hops all = next_hops(f, at, to);
  for (std::uint32_t i = 0; i < all.size(); i++)
    if (const NodeId next = f.port_to[all[i]]; is_live(all[i]) && reaches(next, to)) paths += paths_from(next, to);
  return reach_of(to).paths[index] = paths;
}

void LivePorts::weigh(EndpointId to) const {
  const Fabric& f = *fabric_;
  const auto is_last = [&](PortId port) { return !is_switch(f.kind[f.port_to[port]]); };
  if (hops_.size() < 2 || std::any_of(hops_.begin(), hops_.end(), is_last)) return;
  weight_.clear();
  for (const PortId port : hops_) weight_.push_back(paths_from(f.port_to[port], to));
  reduce(weight_);
  weighed_.clear();
  for (std::size_t i = 0; i < hops_.size(); i++) weighed_.insert(weighed_.end(), weight_[i], hops_[i]);
  hops_.swap(weighed_);
}

std::optional<std::pair<PortId, PortId>> LivePorts::turn_at_leaf(InterfaceId nic) const {
  const Fabric& f = *fabric_;
  for (const PortId up : f.trunk_ports[host_up_trunk(f, nic)])
    for (const PortId down : f.trunk_ports[host_down_trunk(f, nic)])
      if (is_live(up) && is_live(down) && f.port_to[up] == f.port_from[down]) return std::pair(up, down);
  return std::nullopt;
}

bool LivePorts::scale_up_connects(EndpointId from, EndpointId to) const {
  for (const TrunkShare& step : path_of(*fabric_, from, to))
    if (!is_live(fabric_->trunk_ports[step.trunk].front())) return false;
  return true;
}

bool LivePorts::spares(EndpointId from, EndpointId to) const {
  const Fabric& f = *fabric_;
  if (all_live() && none_withdrawn()) return true;
  if (!none_withdrawn()) return false;
  if (f.drawn || !f.circuits.empty() || share_domain(f, from, to) || relay_of(f, from, to) != from) return false;
  if (down_in(host_up_trunk(f, f.interface_of(from))) + down_in(host_down_trunk(f, f.interface_of(to))) > 0) return false;
  for (BlockId block = f.leaf_of(from); f.blocks[block].parent.valid(); block = f.blocks[block].parent)
    if (down_in(f.blocks[block].up) > 0) return false;
  for (BlockId block = f.leaf_of(to); f.blocks[block].parent.valid(); block = f.blocks[block].parent)
    if (down_in(f.blocks[block].down) > 0) return false;
  return true;
}

bool LivePorts::connects(EndpointId from, EndpointId to) const {
  RY_CHECK(from != to, "a message goes to another endpoint");
  const Fabric& f = *fabric_;
  if (spares(from, to)) return true;
  if (f.drawn) return reaches(f.node_of(from), to);
  if (share_domain(f, from, to)) return scale_up_connects(from, to);
  if (f.node_of(from) == f.node_of(to)) return turn_at_leaf(f.interface_of(to)).has_value();
  const EndpointId relay = relay_of(f, from, to);
  return (relay == from || scale_up_connects(from, relay)) && reaches(f.node_of(relay), to);
}

BitsPerSecond live_rate(const Fabric& fabric, const LivePorts& live, TrunkId trunk) {
  return fabric.trunk_port_rate[trunk] * (fabric.trunk_ports[trunk].size() - live.down_in(trunk));
}

}  // namespace railyard
