#include "engine/flow/flow_links.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "fabric/latency.h"

namespace railyard {

namespace {

std::uint64_t fixed(double share) {
  return static_cast<std::uint64_t>(std::llround(share * static_cast<double>(kWholeFraction)));
}

}  // namespace

FlowLinks::FlowLinks(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, double efficiency)
    : fabric_(fabric),
      wire_(wire),
      routing_(routing),
      efficiency_(efficiency),
      ports_(keeps_path(routing.policy) || routing.paths.has_value()),
      paths_(routing.hashed_paths()),
      capacity_((ports_ ? fabric.port_from.size() : fabric.trunk_tier.size()) + 1, 0),
      rate_(fabric.port_from.size()),
      kind_(fabric.trunk_tier.size()),
      live_(fabric, routing.weights),
      numbers_(fabric, routing.hash),
      queue_pairs_at_(fabric.leaf.size(), 0) {
  for (const TrunkId trunk : ids(fabric.trunk_tier)) {
    for (const PortId port : fabric.trunk_ports[trunk]) rate_[port] = fabric.trunk_port_rate[trunk];
    update_capacity(trunk);
  }
  sort_trunks();
}

/// Says which trunks are alike. Neighbours mostly are.
void FlowLinks::sort_trunks() {
  std::map<TrunkKind, std::uint32_t> kinds;
  TrunkKind last;
  std::uint32_t number = 0;
  for (const TrunkId trunk : ids(kind_)) {
    const TrunkKind kind{fabric_.trunk_port_rate[trunk], fabric_.trunk_rate(trunk), fabric_.trunk_delay[trunk]};
    if (kinds.empty() || kind != last) number = kinds.try_emplace(kind, static_cast<std::uint32_t>(kinds.size())).first->second;
    last = kind;
    kind_[trunk] = number;
  }
}

/// Brings the capacity of a trunk's links up to date.
void FlowLinks::update_capacity(TrunkId trunk) {
  const double share = is_scale_up(fabric_.trunk_tier[trunk]) ? 1 : efficiency_;
  const auto units = [&](BitsPerSecond rate) {
    const auto whole = static_cast<std::int64_t>(std::min(Int128(kUnlimitedRate), Int128(rate.count()) * kRateUnitsPerBit));
    return share == 1 ? whole : static_cast<std::int64_t>(static_cast<double>(whole) * share);
  };
  BitsPerSecond sum;
  for (const PortId port : fabric_.trunk_ports[trunk]) {
    sum += rate_[port];
    if (ports_) capacity_[port.index()] = units(rate_[port]);
  }
  if (!ports_) capacity_[trunk.index()] = units(sum);
}

TrunkId FlowLinks::trunk_of(std::uint32_t link) const {
  RY_CHECK(link < nowhere(), "the last link leads nowhere");
  return ports_ ? fabric_.port_trunk[PortId(link)] : TrunkId(link);
}

BitsPerSecond FlowLinks::rate_of(std::uint32_t link) const {
  if (ports_) return rate_[PortId(link)];
  BitsPerSecond sum;
  for (const PortId port : fabric_.trunk_ports[TrunkId(link)]) sum += rate_[port];
  return sum;
}

bool FlowLinks::set_rate(PortId port, BitsPerSecond rate) {
  const bool was_up = rate_[port] > BitsPerSecond::zero(), is_up = rate > BitsPerSecond::zero();
  rate_[port] = rate;
  update_capacity(fabric_.port_trunk[port]);
  if (was_up == is_up) return false;
  live_.set(port, is_up);
  usable_.clear();
  return true;
}

/// Of the legs at hand: a single packet from end to end, less its time on the slowest of them. Most paths are like the last.
PathLatency FlowLinks::latency() {
  hop_kinds_.clear();
  for (const TrunkHop& trunk_hop : trunk_hops_) hop_kinds_.push_back({kind_[trunk_hop.trunk], trunk_hop.hop});
  if (hop_kinds_ == last_hop_kinds_) return last_latency_;
  BitsPerSecond slowest = BitsPerSecond::max();
  for (const TrunkHop& trunk_hop : trunk_hops_)
    slowest = std::min(slowest, ports_ ? fabric_.trunk_port_rate[trunk_hop.trunk] : fabric_.trunk_rate(trunk_hop.trunk));
  const auto beyond = [&](Bytes packet) { return packet_time(fabric_, trunk_hops_, packet) - transmit_time(packet, slowest); };
  last_hop_kinds_.swap(hop_kinds_);
  return last_latency_ = {beyond(wire_.packet_size(wire_.mtu)), beyond(Bytes::zero())};
}

void FlowLinks::restart() { queue_pairs_at_ = Table<InterfaceId, std::uint32_t>(fabric_.leaf.size(), 0); }

PathLatency FlowLinks::add_one(const Edge& edge, std::uint64_t fraction, LinkFractions& sum) {
  path_.clear();
  const std::uint32_t local = queue_pairs_at_[fabric_.interface_of(edge.from)]++;
  const std::uint32_t remote = queue_pairs_at_[fabric_.interface_of(edge.to)]++;
  const FlowHeader header = header_of(fabric_, edge.from, edge.to, local, remote, numbers_);
  find_hashed_path(fabric_, live_, edge.from, edge.to, header, routing_.hash, path_);
  if (path_.empty()) {
    sum.add(nowhere(), fraction);
    return {};
  }
  trunk_hops_.clear();
  for (const PortId port : path_) {
    sum.add(port.index(), fraction);
    trunk_hops_.push_back({fabric_.port_trunk[port], static_cast<std::uint32_t>(trunk_hops_.size())});
  }
  return latency();
}

PathLatency FlowLinks::add_path(const Edge& edge, LinkFractions& sum) {
  return ports_ ? add_one(edge, fixed(edge.share), sum) : add_spread(edge, sum);
}

PathLatency FlowLinks::add(const Edge& edge, LinkFractions& sum) {
  if (!ports_) return add_spread(edge, sum);
  PathLatency longest;
  const std::uint64_t fraction = std::max<std::uint64_t>(1, fixed(edge.share / paths_));
  for (std::uint32_t i = 0; i < paths_; i++) {
    const PathLatency one = add_one(edge, paths_ == 1 ? fixed(edge.share) : fraction, sum);
    longest.full = std::max(longest.full, one.full);
    longest.empty = std::max(longest.empty, one.empty);
  }
  return longest;
}

/// Of a trunk's live ports, those from which live ports lead on to an endpoint. Destinations that are alike share the answer.
double FlowLinks::usable_share(TrunkId trunk, EndpointId to) {
  const NodeKind next = fabric_.kind[fabric_.port_to[fabric_.trunk_ports[trunk].front()]];
  if (fabric_.drawn || live_.all_live() || next == NodeKind::host || next == NodeKind::scale_up) return count_usable(trunk, to);
  const auto [known, is_new] = usable_.try_emplace(std::uint64_t{trunk.index()} << 32 | live_.alike(to), 0);
  if (is_new) known->second = count_usable(trunk, to);
  return known->second;
}

double FlowLinks::count_usable(TrunkId trunk, EndpointId to) const {
  std::uint32_t up = 0, leading = 0;
  for (const PortId port : fabric_.trunk_ports[trunk]) {
    if (!live_.is_live(port)) continue;
    const NodeId next = fabric_.port_to[port];
    up++;
    if (next == fabric_.node_of(to) || fabric_.kind[next] == NodeKind::host || live_.reaches(next, to)) leading++;
  }
  return up == 0 ? 0 : static_cast<double>(leading) / up;
}

PathLatency FlowLinks::add_spread(const Edge& edge, LinkFractions& sum) {
  trunk_path_.clear();
  trunk_hops_.clear();
  find_path(fabric_, live_, edge.from, edge.to, trunk_path_);
  const bool unreachable = trunk_path_.empty();
  if (unreachable) sum.add(nowhere(), fixed(edge.share));
  const bool detours = !live_.spares(edge.from, edge.to);
  for (const TrunkShare& step : trunk_path_) {
    const double usable = detours ? usable_share(step.trunk, edge.to) : 1;
    if (usable > 0)
      sum.add(step.trunk.index(), std::max<std::uint64_t>(1, fixed(edge.share * step.share / usable)));
    else
      sum.add(nowhere(), fixed(edge.share));
    trunk_hops_.push_back({step.trunk, step.hop});
  }
  return unreachable ? PathLatency{} : latency();
}

void FlowLinks::add(const Hop& hop, LinkFractions& sum) const {
  const IdRange<PortId> ports = fabric_.trunk_ports[hop.trunk];
  const std::size_t left = ports.size() - live_.down_in(hop.trunk);
  if (left == 0) return sum.add(nowhere(), fixed(hop.share));
  if (!ports_) return sum.add(hop.trunk.index(), std::max<std::uint64_t>(1, fixed(hop.share)));
  for (const PortId port : ports)
    if (live_.is_live(port)) sum.add(port.index(), std::max<std::uint64_t>(1, fixed(hop.share) / left));
}

PathLatency FlowLinks::add(TrunkId hop, LinkFractions& sum) {
  add(Hop{hop}, sum);
  trunk_hops_.assign(1, {hop, 0});
  PathLatency beyond = latency();
  beyond.full += reducer_latency(fabric_, hop);
  beyond.empty += reducer_latency(fabric_, hop);
  return beyond;
}

}  // namespace railyard
