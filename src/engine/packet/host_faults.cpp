#include "engine/packet/host_faults.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace railyard::packet {

HostFaults::HostFaults(const Fabric& fabric, std::span<const HostFault> faults, Network& network)
    : network_(network), faults_(faults.begin(), faults.end()), in_force_(faults.size(), 0) {
  for (std::uint32_t i = 0; i < faults_.size(); i++) {
    node_of_.push_back(fabric.node_of(EndpointId(faults_[i].host)).index());
    changes_.push_back({faults_[i].from.count(), i, true});
    if (faults_[i].until != Picoseconds::max()) changes_.push_back({faults_[i].until.count(), i, false});
  }
  std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return std::tie(a.at, a.fault, a.begins) < std::tie(b.at, b.fault, b.begins);
  });
}

void HostFaults::restart() {
  std::fill(in_force_.begin(), in_force_.end(), 0);
  at_ = 0;
}

void HostFaults::apply(Time now, LookaheadScheduler& scheduler) {
  std::vector<std::uint32_t> nodes;
  for (; next() == now; at_++) {
    in_force_[changes_[at_].fault] = changes_[at_].begins;
    nodes.push_back(node_of_[changes_[at_].fault]);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (const std::uint32_t node : nodes) change(node, now, scheduler);
}

/// A host becomes what the faults in force make it: the slowest of them holds.
void HostFaults::change(std::uint32_t node, Time now, LookaheadScheduler& scheduler) {
  bool storms = false;
  std::optional<std::int64_t> takes;
  for (std::uint32_t i = 0; i < faults_.size(); i++) {
    if (node_of_[i] != node || in_force_[i] == 0) continue;
    storms = storms || faults_[i].storms;
    if (faults_[i].takes) takes = std::min(takes.value_or(faults_[i].takes->count()), faults_[i].takes->count());
  }
  const Host& as_built = network_.host_as_built(node);
  const bool stuck = as_built.stuck || takes == 0;
  const std::int64_t own = as_built.take_rate, rate = !takes ? own : own > 0 ? std::min(own, *takes) : *takes;
  Host& host = network_.net.hosts[node];
  if (host.stuck != stuck || host.take_rate != rate) scheduler.change_host(node, rate, stuck, now);
  if (host.storms == storms) return;
  host.storms = storms;
  if (host.has_paused) return;  // by itself: nobody learns anything new
  tell(node, storms, now, scheduler);
}

/// Pauses the switches of a host for all that is lossless, or lets them go on.
void HostFaults::tell(std::uint32_t node, bool xoff, Time now, LookaheadScheduler& scheduler) {
  Net& net = network_.net;
  const Profile& own = net.profile(node);
  bool told = false;
  for (std::uint32_t l = net.first_link[node]; l < net.first_link[node + 1]; l++) {
    const Link& link = net.links[l];
    if (net.ports[link.port].by_credits) continue;
    const bool is_down = net.faults[net.ports[link.back].link].clear_from == kNever;  // it is told when that comes up
    for (std::uint32_t c = 0; c < kClasses; c++) {
      if (net.p.by_profile ? !own.lossless[c] : !net.p.lossless[c]) continue;
      const std::uint32_t name = net.p.by_profile ? own.priority[c] : c;
      if (!is_down) scheduler.pause(link.port, static_cast<std::uint8_t>(name), xoff, now + link.cable + link.response);
      if (xoff) net.pause_counters[std::size_t{link.back} * kClasses + c].sent++;
      net.ports[link.back].has_past = true;
      if (xoff) scheduler.pauses.push_back({Picoseconds(now), PortId(link.port), PortId(kNone), static_cast<std::uint8_t>(c)});
      told = true;
    }
  }
  (xoff ? net.hosts[node].pauses : net.hosts[node].resumes) += told;
}

}  // namespace railyard::packet
