#include "engine/packet/failover.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace railyard::packet {

namespace {

/// In units of 2^-64.
std::uint64_t probability(double share) {
  return share >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(std::ldexp(share, 64));
}

}  // namespace

Failover::Failover(const Fabric& fabric, const PathPolicy& routing, const PacketPlan& plan, std::span<const PortChange> changes,
                   Network& network)
    : fabric_(fabric),
      routing_(routing),
      numbers_(fabric, routing.hash),
      network_(network),
      hosts_(fabric, plan.host_faults, network),
      down_(fabric.port_from.size(), 0),
      live_(fabric, routing.weights) {
  for (const PortChange& change : changes) {
    const Time at = change.at.count();
    const bool at_start = at == 0;
    events_.push_back({at, Kind::link, change});
    events_.push_back({at_start ? 0 : at + plan.failover.local_repair.count(), Kind::local_repair, change});
    events_.push_back({at_start ? 0 : at + plan.failover.convergence.count(), Kind::convergence, change});
  }
  std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
    return std::tie(a.at, a.kind, a.change.port, a.change.at) < std::tie(b.at, b.kind, b.change.port, b.change.at);
  });
  restart();
}

void Failover::restart() {
  std::fill(down_.begin(), down_.end(), 0);
  live_ = LivePorts(fabric_, routing_.weights);
  hosts_.restart();
  at_ = 0;
  for (; next_event() == 0; at_++) apply_one(events_[at_], nullptr);
  reroute(0, nullptr);
  rerouted_.clear();
}

void Failover::add_flow(std::uint32_t flow, EndpointId from, EndpointId to, std::uint32_t local, std::uint32_t remote) {
  routes_.push_back({flow, from, to, local, remote});
}

void Failover::find_paths(EndpointId from, EndpointId to, std::uint32_t local, std::uint32_t remote, std::vector<PortId>& there,
                          std::vector<PortId>& back) const {
  there.clear();
  back.clear();
  const auto find = [&](EndpointId a, EndpointId b, std::uint32_t ours, std::uint32_t theirs, std::vector<PortId>& path) {
    find_hashed_path(fabric_, live_, a, b, header_of(fabric_, a, b, ours, theirs, numbers_), routing_.hash, path);
    const auto inside = [&](PortId port) { return is_scale_up(fabric_.trunk_tier[fabric_.port_trunk[port]]); };
    if (std::any_of(path.begin(), path.end(), inside)) path.clear();
  };
  find(from, to, local, remote, there);
  find(to, from, remote, local, back);
}

void Failover::apply(LookaheadScheduler& scheduler) {
  const Time now = next();
  bool routes_change = false;
  for (; next_event() == now; at_++) routes_change = apply_one(events_[at_], &scheduler) || routes_change;
  if (routes_change) reroute(now, &scheduler);
  if (hosts_.next() == now) hosts_.apply(now, scheduler);
}

/// Returns whether somebody sends elsewhere now.
bool Failover::apply_one(const Event& event, LookaheadScheduler* scheduler) {
  const PortId port = event.change.port;
  if (event.kind == Kind::link) {
    change_link(event.change, event.at, scheduler);
    return false;
  }
  const bool down = is_down(port) || is_down(reverse_of(fabric_, port));  // a fault one way is told the other (IEEE 802.3)
  bool changed = false;
  for (const PortId end : {port, reverse_of(fabric_, port)}) {
    const std::uint32_t index = network_.index_of(end);
    if (index == kNone) continue;
    if (event.kind == Kind::convergence) {
      changed = changed || live_.is_live(end) == down;
      live_.set(end, !down);
      continue;
    }
    LinkFault& fault = network_.net.faults[network_.net.ports[index].link];
    changed = changed || fault.withdrawn != down;
    fault.withdrawn = down;
    live_.withdraw(end, down);
  }
  return changed;
}

void Failover::change_link(const PortChange& change, Time at, LookaheadScheduler* scheduler) {
  const std::uint32_t port = network_.index_of(change.port);
  if (port == kNone) return;
  const bool was_down = is_down(change.port), down = change.rate == BitsPerSecond::zero();
  down_[change.port.index()] = down;
  if (!down) network_.set_rate(port, change.rate);
  LinkFault& fault = network_.net.faults[network_.net.ports[port].link];
  fault.loss = probability(change.loss.share);
  fault.loss_per_byte = probability(8 * change.loss.bit_errors);
  if (was_down == down) return;
  fault.clear_from = down ? kNever : at;
  const std::uint32_t back = network_.net.links[network_.net.ports[port].link].back;
  for (const std::uint32_t end : {port, back}) network_.recount_credits(end, down);
  if (scheduler != nullptr) down ? go_down(back, at, *scheduler) : come_up(back, at, *scheduler);
}

/// A port is told nothing any more: pauses end.
void Failover::go_down(std::uint32_t port, Time at, LookaheadScheduler& scheduler) {
  scheduler.lose_frames(port);
  const std::uint32_t names = network_.net.p.by_profile ? kPriorities : kClasses;
  for (std::uint32_t name = 0; name < names; name++) scheduler.pause(port, static_cast<std::uint8_t>(name), false, at);
}

/// A port is told again what the far end wants.
void Failover::come_up(std::uint32_t port, Time at, LookaheadScheduler& scheduler) {
  const Net& net = network_.net;
  const Port& p = net.ports[port];
  if (p.by_credits) return;
  const Link& link = net.links[p.link];
  const Profile& far = net.profile_at(link.back);
  for (std::uint32_t c = 0; c < kClasses; c++) {
    const bool wanted = p.to_host ? (net.hosts[p.to].has_paused || net.hosts[p.to].storms) && far.lossless[c]
                                  : net.ingress[net.ingress_index(p.link, c)].paused;
    const std::uint32_t name = net.p.by_profile ? far.priority[c] : c;
    if (wanted) scheduler.pause(port, static_cast<std::uint8_t>(name), true, at + link.cable + link.response);
  }
}

void Failover::reroute(Time at, LookaheadScheduler* scheduler) {
  network_.choose_among(live_);
  if (!routing_.fixed.empty()) return;
  std::uint32_t moved = 0;
  std::vector<PortId> there, back;
  for (const Route& route : routes_) {
    find_paths(route.from, route.to, route.local, route.remote, there, back);
    if (there.empty() || back.empty() || !network_.set_path(route.flow, there, back)) continue;
    moved++;
    const std::uint32_t port = network_.index_of(there.front());
    if (port == network_.net.senders[route.flow].port) continue;
    if (scheduler != nullptr)
      scheduler->move(route.flow, port, at);
    else
      network_.net.senders[route.flow].port = port;
  }
  if (moved > 0) rerouted_.push_back({Picoseconds(at), moved});
}

}  // namespace railyard::packet
