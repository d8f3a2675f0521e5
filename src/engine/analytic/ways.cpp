#include "engine/analytic/ways.h"

#include <algorithm>

#include "fabric/latency.h"

namespace railyard {

namespace {

/// Equal parts over all of these paths: every lane once, hop by hop, with what it carries of them.
std::vector<WayStep> together(std::vector<WayStep> steps, std::uint32_t parts) {
  const auto before = [](const WayStep& a, const WayStep& b) { return a.hop != b.hop ? a.hop < b.hop : a.lane < b.lane; };
  std::sort(steps.begin(), steps.end(), before);
  std::vector<WayStep> lanes;
  std::uint32_t paths = 0;
  for (const WayStep& step : steps) {
    const bool same = !lanes.empty() && lanes.back().hop == step.hop && lanes.back().lane == step.lane;
    if (!same) lanes.push_back(step), paths = 0;
    lanes.back().share = static_cast<double>(++paths) / parts;
  }
  return lanes;
}

}  // namespace

Ways::Ways(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing)
    : fabric_(fabric),
      wire_(wire),
      routing_(routing),
      by_port_(keeps_path(routing.policy)),
      parts_(by_port_ && routing.use == QpUse::split ? routing.queue_pairs : 1),
      rates_(by_port_ ? fabric.port_from.size() : fabric.trunk_tier.size()),
      queue_pairs_at_(fabric.leaf.size(), 0) {
  reset_rates();
}

BitsPerSecond Ways::built_rate(std::uint32_t lane) const {
  return by_port_ ? fabric_.trunk_port_rate[fabric_.port_trunk[PortId(lane)]] : fabric_.trunk_rate(TrunkId(lane));
}

void Ways::reset_rates() {
  port_rate_ = {};
  for (std::uint32_t lane = 0; lane < rates_.size(); lane++) rates_[lane] = built_rate(lane);
}

std::uint32_t Ways::set_rate(PortId port, BitsPerSecond rate) {
  const TrunkId trunk = fabric_.port_trunk[port];
  if (port_rate_.empty()) {
    port_rate_ = Table<PortId, BitsPerSecond>(fabric_.port_from.size());
    for (const PortId each : ids(port_rate_)) port_rate_[each] = fabric_.trunk_port_rate[fabric_.port_trunk[each]];
  }
  port_rate_[port] = rate;
  BitsPerSecond sum;
  for (const PortId each : fabric_.trunk_ports[trunk]) sum += port_rate_[each];
  const std::uint32_t lane = by_port_ ? port.index() : trunk.index();
  rates_[lane] = by_port_ ? rate : sum;
  RY_CHECK(rates_[lane] > BitsPerSecond::zero(), "closed forms do not find ways around what is down");
  return lane;
}

void Ways::add(const QueuePair& qp) {
  std::vector<WayStep> steps;
  if (!by_port_) {
    for (const TrunkShare& step : way_of(fabric_, qp.from, qp.to))
      steps.push_back({step.trunk.index(), step.trunk, step.hop, step.share});
    return add_steps(steps, {});
  }
  for (std::uint32_t i = 0; i < routing_.queue_pairs; i++) {
    add_path(qp, steps);
    if (parts_ > 1) continue;
    add_steps(steps, {});
    steps.clear();
  }
  if (parts_ > 1) add_steps(together(std::move(steps), parts_), {});
}

void Ways::add(TrunkId hop) {
  std::vector<WayStep> steps;
  if (by_port_)  // a reduction tree of its own on every link
    for (const PortId port : fabric_.trunk_ports[hop])
      steps.push_back({port.index(), hop, 0, 1.0 / fabric_.trunk_ports[hop].size()});
  else
    steps.push_back({hop.index(), hop, 0, 1});
  add_steps(steps, reducer_latency(fabric_, hop));
}

void Ways::add_path(const QueuePair& qp, std::vector<WayStep>& steps) {
  const std::uint32_t local = queue_pairs_at_[fabric_.interface_of(qp.from)]++;
  const std::uint32_t remote = queue_pairs_at_[fabric_.interface_of(qp.to)]++;
  const FlowHeader header = header_of(fabric_, qp.from, qp.to, local, remote, routing_.hash);
  std::uint32_t hop = 0;
  for (const PortId port : hashed_path(fabric_, qp.from, qp.to, header, routing_.hash))
    steps.push_back({port.index(), fabric_.port_trunk[port], hop++, 1});
}

void Ways::add_steps(const std::vector<WayStep>& steps, Picoseconds reducer) {
  Row way;
  way.first = way.narrowest = static_cast<std::uint32_t>(steps_.size());
  way.size = static_cast<std::uint32_t>(steps.size());
  way.reducer = reducer;
  const auto load = [&](const WayStep& step) { return step.share / static_cast<double>(rates_[step.lane].count()); };
  for (const WayStep& step : steps) {
    const auto index = static_cast<std::uint32_t>(&step - steps.data());
    if (load(step) > load(steps[way.narrowest - way.first])) way.narrowest = way.first + index;
    if (by_port_ || step.share >= 1) way.slowest = std::min(way.slowest, rates_[step.lane]);
  }
  steps_.insert(steps_.end(), steps.begin(), steps.end());
  way.full_packet_latency = packet_latency(way, wire_.packet_size(wire_.mtu));
  ways_.push_back(way);
}

Picoseconds Ways::latency(std::uint32_t way, Bytes payload) const {
  const Row& row = ways_[way];
  return payload >= wire_.mtu ? row.full_packet_latency : packet_latency(row, wire_.packet_size(payload));
}

/// A single packet from end to end, less its time on the slowest lane.
Picoseconds Ways::packet_latency(const Row& way, Bytes packet) const {
  const std::span<const WayStep> steps = std::span(steps_).subspan(way.first, way.size);
  return packet_time(fabric_, steps, packet) - transmit_time(packet, way.slowest) + way.reducer;
}

}  // namespace railyard
