#include "sim/slice/slice_failures.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "fabric/routes.h"

namespace railyard {

namespace {

bool is_as_built(const Fabric& fabric, const PortChange& change) {
  return change.rate == fabric.trunk_port_rate[fabric.port_trunk[change.port]] && !change.loss.any();
}

}  // namespace

std::vector<PortChange> changes_within(const Fabric& fabric, std::span<const PortChange> changes, Picoseconds from,
                                       Picoseconds to, Picoseconds convergence) {
  std::map<PortId, PortChange> before;  // the last of each port
  std::vector<PortChange> within;
  for (const PortChange& change : changes) {
    if (change.at <= from) before.insert_or_assign(change.port, change);
    if (change.at <= from || change.at >= to) continue;
    within.push_back(change);
    within.back().at -= from;
  }
  for (auto& [port, change] : before) {
    if (is_as_built(fabric, change)) continue;
    const bool is_known = change.at == Picoseconds::zero() || change.at + convergence <= from;
    change.at = is_known ? Picoseconds::zero() : Picoseconds(1);
    within.push_back(change);
  }
  std::sort(within.begin(), within.end(),
            [](const PortChange& a, const PortChange& b) { return std::tie(a.at, a.port) < std::tie(b.at, b.port); });
  return within;
}

LivePorts live_at(const Fabric& fabric, NextHopWeights weights, std::span<const PortChange> changes, Picoseconds from) {
  LivePorts live(fabric, weights);
  for (const PortChange& change : changes)
    if (change.at <= from) live.set(change.port, change.rate > BitsPerSecond::zero());
  return live;
}

std::vector<HostFault> faults_within(std::span<const HostFault> faults, Picoseconds from, Picoseconds to) {
  std::vector<HostFault> within;
  for (HostFault fault : faults) {
    if (fault.from >= to || fault.until <= from) continue;
    fault.from = std::max(fault.from, from) - from;
    if (fault.until != Picoseconds::max()) fault.until -= from;
    within.push_back(fault);
  }
  return within;
}

bool reach_lines(const Fabric& fabric, std::span<const PortChange> changes, std::span<const HostFault> faults,
                 std::span<const QueuePair> lines) {
  std::vector<bool> failing(fabric.trunk_tier.size(), false);
  for (const PortChange& change : changes) failing[fabric.port_trunk[change.port].index()] = true;
  return std::any_of(lines.begin(), lines.end(), [&](const QueuePair& line) {
    for (const HostFault& fault : faults)
      if (const NodeId host = fabric.node_of(EndpointId(fault.host));
          host == fabric.node_of(line.from) || host == fabric.node_of(line.to))
        return true;
    for (const auto& [from, to] : {std::pair(line.from, line.to), std::pair(line.to, line.from)})
      for (const TrunkShare& step : path_of(fabric, from, to))
        if (failing[step.trunk.index()]) return true;
    return false;
  });
}

}  // namespace railyard
