#include "engine/analytic/analytic_paths.h"

#include <algorithm>

#include "engine/rates/max_min.h"
#include "fabric/latency.h"

namespace railyard {

namespace {

/// Equal parts over all of these paths: every link once, hop by hop, with what it carries of them.
std::vector<PathHop> together(std::vector<PathHop> steps, std::uint32_t qps_per_message) {
  const auto before = [](const PathHop& a, const PathHop& b) { return a.hop != b.hop ? a.hop < b.hop : a.link < b.link; };
  std::sort(steps.begin(), steps.end(), before);
  std::vector<PathHop> links;
  std::uint32_t paths = 0;
  for (const PathHop& step : steps) {
    const bool same = !links.empty() && links.back().hop == step.hop && links.back().link == step.link;
    if (!same) links.push_back(step), paths = 0;
    links.back().share = static_cast<double>(++paths) / qps_per_message;
  }
  return links;
}

}  // namespace

AnalyticPaths::AnalyticPaths(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing)
    : fabric_(fabric),
      wire_(wire),
      routing_(routing),
      by_port_(keeps_path(routing.policy)),
      qps_per_message_(by_port_ && routing.use == QpUse::split ? routing.queue_pairs : 1),
      rates_(by_port_ ? fabric.port_from.size() : fabric.trunk_tier.size()),
      queue_pairs_at_(fabric.leaf.size(), 0) {
  reset_rates();
}

BitsPerSecond AnalyticPaths::built_rate(std::uint32_t link) const {
  return by_port_ ? fabric_.trunk_port_rate[fabric_.port_trunk[PortId(link)]] : fabric_.trunk_rate(TrunkId(link));
}

void AnalyticPaths::reset_rates() {
  port_rate_ = {};
  for (std::uint32_t link = 0; link < rates_.size(); link++) rates_[link] = built_rate(link);
}

std::uint32_t AnalyticPaths::set_rate(PortId port, BitsPerSecond rate) {
  const TrunkId trunk = fabric_.port_trunk[port];
  if (port_rate_.empty()) {
    port_rate_ = Table<PortId, BitsPerSecond>(fabric_.port_from.size());
    for (const PortId each : ids(port_rate_)) port_rate_[each] = fabric_.trunk_port_rate[fabric_.port_trunk[each]];
  }
  port_rate_[port] = rate;
  BitsPerSecond sum;
  for (const PortId each : fabric_.trunk_ports[trunk]) sum += port_rate_[each];
  const std::uint32_t link = by_port_ ? port.index() : trunk.index();
  rates_[link] = by_port_ ? rate : sum;
  RY_CHECK(rates_[link] > BitsPerSecond::zero(), "closed forms do not find paths around what is down");
  return link;
}

void AnalyticPaths::add(const QueuePair& qp) {
  std::vector<PathHop> steps;
  if (!by_port_) {
    for (const TrunkShare& step : path_of(fabric_, qp.from, qp.to))
      steps.push_back({step.trunk.index(), step.trunk, step.hop, step.share});
    return add_steps(steps, {});
  }
  for (std::uint32_t i = 0; i < routing_.queue_pairs; i++) {
    add_path(qp, steps);
    if (qps_per_message_ > 1) continue;
    add_steps(steps, {});
    steps.clear();
  }
  if (qps_per_message_ > 1) add_steps(together(std::move(steps), qps_per_message_), {});
}

void AnalyticPaths::add(TrunkId hop) {
  std::vector<PathHop> steps;
  if (by_port_)  // a reduction tree of its own on every link
    for (const PortId port : fabric_.trunk_ports[hop])
      steps.push_back({port.index(), hop, 0, 1.0 / fabric_.trunk_ports[hop].size()});
  else
    steps.push_back({hop.index(), hop, 0, 1});
  add_steps(steps, reducer_latency(fabric_, hop));
}

void AnalyticPaths::add_path(const QueuePair& qp, std::vector<PathHop>& steps) {
  const std::uint32_t local = queue_pairs_at_[fabric_.interface_of(qp.from)]++;
  const std::uint32_t remote = queue_pairs_at_[fabric_.interface_of(qp.to)]++;
  const FlowHeader header = header_of(fabric_, qp.from, qp.to, local, remote, routing_.hash);
  std::uint32_t hop = 0;
  for (const PortId port : hashed_path(fabric_, qp.from, qp.to, header, routing_.hash))
    steps.push_back({port.index(), fabric_.port_trunk[port], hop++, 1});
}

void AnalyticPaths::add_steps(const std::vector<PathHop>& steps, Picoseconds reducer) {
  const std::uint32_t path = size();
  Kind kind;
  kind.reducer = reducer;
  const auto load = [&](const PathHop& step) { return step.share / static_cast<double>(rates_[step.link].count()); };
  for (const PathHop& step : steps) {
    if (load(step) > load(steps[kind.narrowest])) kind.narrowest = static_cast<std::uint32_t>(&step - steps.data());
    if (by_port_ || step.share >= 1) kind.slowest = std::min(kind.slowest, rates_[step.link]);
  }
  add_shares(steps);
  for (const PathHop& step : steps) link_.push_back(step.link);
  first_.push_back(static_cast<std::uint32_t>(link_.size()));
  kind.full_packet_latency = packet_latency(path, kind, wire_.packet_size(wire_.mtu));
  kind_.push_back(number_of(kind));
}

/// Keeps hops and shares from the first path on that needs them. REQUIRES: its links are not there yet.
void AnalyticPaths::add_shares(const std::vector<PathHop>& steps) {
  bool whole = true;
  for (std::uint32_t i = 0; i < steps.size(); i++) whole &= steps[i].share == 1 && steps[i].hop == i;
  if (whole && share_.empty()) return;
  if (share_.empty()) {
    share_.assign(link_.size(), 1);
    for (std::uint32_t path = 0; path < size(); path++)
      for (std::uint32_t i = first_[path]; i < first_[path + 1]; i++) hop_.push_back(i - first_[path]);
  }
  for (const PathHop& step : steps) {
    hop_.push_back(step.hop);
    share_.push_back(step.share);
  }
}

/// One that was added lately, or a new one.
std::uint32_t AnalyticPaths::number_of(const Kind& kind) {
  constexpr std::size_t kLately = 8;
  for (std::size_t i = kinds_.size(); i > 0 && i + kLately > kinds_.size(); i--)
    if (kinds_[i - 1] == kind) return static_cast<std::uint32_t>(i - 1);
  kinds_.push_back(kind);
  return static_cast<std::uint32_t>(kinds_.size() - 1);
}

std::int64_t AnalyticPaths::cap(std::uint32_t path) const {
  double most = static_cast<double>(kUnlimitedRate);
  for (const PathHop& step : steps(path))
    most = std::min(most, static_cast<double>(built_rate(step.link).count()) * kRateUnitsPerBit / step.share);
  return static_cast<std::int64_t>(most);
}

/// A latency is a constant and sums and differences of times that grow with the packet, each rounded up: but for one
/// picosecond for each of them it is no less than at both ends of what a packet may be.
Picoseconds AnalyticPaths::least_latency(std::uint32_t path) const {
  const Kind& kind = kinds_[kind_[path]];
  const auto rounded = static_cast<std::int64_t>(steps(path).size()) + 2;
  return std::min(packet_latency(path, kind, Bytes::zero()), kind.full_packet_latency) - Picoseconds(rounded);
}

/// A single packet from end to end, less its time on the slowest link.
Picoseconds AnalyticPaths::packet_latency(std::uint32_t path, const Kind& kind, Bytes packet) const {
  return packet_time(fabric_, steps(path), packet) - transmit_time(packet, kind.slowest) + kind.reducer;
}

}  // namespace railyard
