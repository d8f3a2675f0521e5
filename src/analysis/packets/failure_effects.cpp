#include "analysis/packets/failure_effects.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "analysis/tier_loads.h"

namespace railyard {

namespace {

constexpr std::size_t kRowsShown = 10;

template<class Row>
void keep_first(std::vector<Row>& rows) {
  if (rows.size() > kRowsShown) rows.erase(rows.begin() + kRowsShown, rows.end());
}

/// Everything below the roots of the tree that are this host.
void add_paused(const Fabric& fabric, const PauseTree& tree, NodeId host, HostFaultRow& row) {
  std::vector<std::uint32_t> open;
  for (const std::uint32_t root : tree.roots)
    if (tree.nodes[root].host == host) open.push_back(root);
  std::set<PortId> paused;
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    open.insert(open.end(), tree.children[at].begin(), tree.children[at].end());
    if (!tree.nodes[at].parent) continue;
    paused.insert(tree.nodes[at].port);
    row.links_away = std::max<std::uint64_t>(row.links_away, tree.nodes[at].depth);
  }
  row.ports = paused.size();
  row.hosts = static_cast<std::uint64_t>(std::count_if(
      paused.begin(), paused.end(), [&](PortId port) { return fabric.kind[fabric.port_from[port]] == NodeKind::host; }));
}

HostFaultRow host_fault_row(const Fabric& fabric, const PacketRecord& packets, const PauseTree& tree,
                            const HostFaultRecord& fault) {
  HostFaultRow row{.host = end_name(fabric, fault.host), .storms = fault.storms, .from_us = microseconds(fault.from)};
  if (fault.until != Picoseconds::max()) row.until_us = microseconds(fault.until);
  add_paused(fabric, tree, fault.host, row);
  for (const PortId port : ids(fabric.port_to)) {
    if (fabric.port_to[port] != fault.host || !packets.ports[port].watchdog) continue;
    const double at = microseconds(*packets.ports[port].watchdog);
    row.watchdog_us = std::min(row.watchdog_us.value_or(at), at);
  }
  return row;
}

}  // namespace

std::optional<FailureEffects> failure_effects(const Fabric& fabric, const PacketRecord& packets, const PauseTree& tree) {
  if (packets.losses.empty() && packets.rerouted.empty() && packets.timed_out.empty() && packets.host_faults.empty())
    return std::nullopt;
  FailureEffects effects{.lost = packets.lost, .timed_out_in_all = packets.timed_out.size()};
  for (const LossRecord& loss : packets.losses)
    effects.losses.push_back(
        {port_name(fabric, loss.port), loss.packets, loss.data, loss.bytes, microseconds(loss.first), microseconds(loss.last)});
  std::stable_sort(effects.losses.begin(), effects.losses.end(),
                   [](const LossRow& a, const LossRow& b) { return a.packets > b.packets; });
  for (const RerouteRecord& one : packets.rerouted) effects.rerouted.push_back({microseconds(one.at), one.queue_pairs});
  for (const TimeoutRecord& one : packets.timed_out) {
    TimeoutRow row{end_name(fabric, one.from), end_name(fabric, one.to), one.timeouts, microseconds(one.first), {}};
    if (one.broken) row.broken_us = microseconds(*one.broken);
    effects.broken += one.broken.has_value();
    effects.timed_out.push_back(std::move(row));
  }
  std::stable_sort(effects.timed_out.begin(), effects.timed_out.end(), [](const TimeoutRow& a, const TimeoutRow& b) {
    return std::tuple(!a.broken_us, a.broken_us.value_or(0)) < std::tuple(!b.broken_us, b.broken_us.value_or(0));
  });
  for (const HostFaultRecord& fault : packets.host_faults)
    effects.host_faults.push_back(host_fault_row(fabric, packets, tree, fault));
  effects.watchdog_drops = packets.drops[static_cast<std::size_t>(DropReason::watchdog)];
  keep_first(effects.host_faults);
  keep_first(effects.losses);
  keep_first(effects.rerouted);
  keep_first(effects.timed_out);
  return effects;
}

}  // namespace railyard
