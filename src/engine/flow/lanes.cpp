#include "engine/flow/lanes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "fabric/latency.h"

namespace railyard {

namespace {

std::uint64_t fixed(double share) { return static_cast<std::uint64_t>(std::llround(share * static_cast<double>(kWholePart))); }

}  // namespace

Lanes::Lanes(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, double efficiency)
    : fabric_(fabric),
      wire_(wire),
      routing_(routing),
      efficiency_(efficiency),
      ports_(keeps_path(routing.policy) || routing.paths.has_value()),
      paths_(keeps_path(routing.policy) ? routing.queue_pairs : routing.paths.value_or(1)),
      capacity_((ports_ ? fabric.port_from.size() : fabric.trunk_tier.size()) + 1, 0),
      rate_(fabric.port_from.size()),
      kind_(fabric.trunk_tier.size()),
      live_(fabric),
      numbers_(fabric, routing.hash),
      queue_pairs_at_(fabric.leaf.size(), 0) {
  for (const TrunkId trunk : ids(fabric.trunk_tier)) {
    for (const PortId port : fabric.trunk_ports[trunk]) rate_[port] = fabric.trunk_port_rate[trunk];
    settle(trunk);
  }
  sort_trunks();
}

/// Says which trunks are alike. Neighbours mostly are.
void Lanes::sort_trunks() {
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

/// Brings the capacity of a trunk's lanes up to date.
void Lanes::settle(TrunkId trunk) {
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

TrunkId Lanes::trunk_of(std::uint32_t lane) const {
  RY_CHECK(lane < nowhere(), "the last lane leads nowhere");
  return ports_ ? fabric_.port_trunk[PortId(lane)] : TrunkId(lane);
}

BitsPerSecond Lanes::rate_of(std::uint32_t lane) const {
  if (ports_) return rate_[PortId(lane)];
  BitsPerSecond sum;
  for (const PortId port : fabric_.trunk_ports[TrunkId(lane)]) sum += rate_[port];
  return sum;
}

bool Lanes::set_rate(PortId port, BitsPerSecond rate) {
  const bool was_up = rate_[port] > BitsPerSecond::zero(), is_up = rate > BitsPerSecond::zero();
  rate_[port] = rate;
  settle(fabric_.port_trunk[port]);
  if (was_up == is_up) return false;
  live_.set(port, is_up);
  return true;
}

/// Of the legs at hand: a single packet from end to end, less its time on the slowest of them. Most ways are like the last.
WayLatency Lanes::latency() {
  gait_.clear();
  for (const Leg& leg : legs_) gait_.push_back({kind_[leg.trunk], leg.hop});
  if (gait_ == last_gait_) return last_latency_;
  BitsPerSecond slowest = BitsPerSecond::max();
  for (const Leg& leg : legs_)
    slowest = std::min(slowest, ports_ ? fabric_.trunk_port_rate[leg.trunk] : fabric_.trunk_rate(leg.trunk));
  const auto beyond = [&](Bytes packet) { return packet_time(fabric_, legs_, packet) - transmit_time(packet, slowest); };
  last_gait_.swap(gait_);
  return last_latency_ = {beyond(wire_.packet_size(wire_.mtu)), beyond(Bytes::zero())};
}

void Lanes::restart() { queue_pairs_at_ = Table<InterfaceId, std::uint32_t>(fabric_.leaf.size(), 0); }

WayLatency Lanes::add_one(const Edge& edge, std::uint64_t part, LaneSum& sum) {
  path_.clear();
  const std::uint32_t local = queue_pairs_at_[fabric_.interface_of(edge.from)]++;
  const std::uint32_t remote = queue_pairs_at_[fabric_.interface_of(edge.to)]++;
  const FlowHeader header = header_of(fabric_, edge.from, edge.to, local, remote, numbers_);
  find_hashed_path(fabric_, live_, edge.from, edge.to, header, routing_.hash, path_);
  if (path_.empty()) {
    sum.add(nowhere(), part);
    return {};
  }
  legs_.clear();
  for (const PortId port : path_) {
    sum.add(port.index(), part);
    legs_.push_back({fabric_.port_trunk[port], static_cast<std::uint32_t>(legs_.size())});
  }
  return latency();
}

WayLatency Lanes::add_path(const Edge& edge, LaneSum& sum) {
  return ports_ ? add_one(edge, fixed(edge.share), sum) : add_spread(edge, sum);
}

WayLatency Lanes::add(const Edge& edge, LaneSum& sum) {
  if (!ports_) return add_spread(edge, sum);
  WayLatency longest;
  const std::uint64_t part = std::max<std::uint64_t>(1, fixed(edge.share / paths_));
  for (std::uint32_t i = 0; i < paths_; i++) {
    const WayLatency one = add_one(edge, paths_ == 1 ? fixed(edge.share) : part, sum);
    longest.full = std::max(longest.full, one.full);
    longest.empty = std::max(longest.empty, one.empty);
  }
  return longest;
}

/// Of a trunk's live ports, those from which live ports lead on to an endpoint.
double Lanes::usable_share(TrunkId trunk, EndpointId to) const {
  std::uint32_t up = 0, leading = 0;
  for (const PortId port : fabric_.trunk_ports[trunk]) {
    if (!live_.is_live(port)) continue;
    const NodeId next = fabric_.port_to[port];
    up++;
    if (next == fabric_.node_of(to) || fabric_.kind[next] == NodeKind::host || live_.reaches(next, to)) leading++;
  }
  return up == 0 ? 0 : static_cast<double>(leading) / up;
}

WayLatency Lanes::add_spread(const Edge& edge, LaneSum& sum) {
  way_.clear();
  legs_.clear();
  find_way(fabric_, live_, edge.from, edge.to, way_);
  const bool cut_off = way_.empty();
  if (cut_off) sum.add(nowhere(), fixed(edge.share));
  const bool detours = !live_.spares(edge.from, edge.to);
  for (const TrunkShare& step : way_) {
    const double usable = detours ? usable_share(step.trunk, edge.to) : 1;
    if (usable > 0)
      sum.add(step.trunk.index(), std::max<std::uint64_t>(1, fixed(edge.share * step.share / usable)));
    else
      sum.add(nowhere(), fixed(edge.share));
    legs_.push_back({step.trunk, step.hop});
  }
  return cut_off ? WayLatency{} : latency();
}

WayLatency Lanes::add(TrunkId hop, LaneSum& sum) {
  const IdRange<PortId> ports = fabric_.trunk_ports[hop];
  if (ports_)
    for (const PortId port : ports) sum.add(port.index(), kWholePart / ports.size());
  else
    sum.add(hop.index(), kWholePart);
  legs_.assign(1, {hop, 0});
  WayLatency beyond = latency();
  beyond.full += reducer_latency(fabric_, hop);
  beyond.empty += reducer_latency(fabric_, hop);
  return beyond;
}

}  // namespace railyard
