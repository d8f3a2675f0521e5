#include "engine/packet/observe.h"

#include <algorithm>
#include <map>
#include <vector>

namespace railyard::packet {

namespace {

/// One of so many ports that share what a row counts; the first ones have what is left over.
PortRecord share_of(const PortRecord& all, std::uint32_t nth, std::uint32_t count) {
  const auto part = [&](auto sum) { return sum / count + (nth < sum % count ? 1 : 0); };
  PortRecord row = all;
  row.packets = part(all.packets);
  row.bytes = Bytes(part(all.bytes.count()));
  row.marked = part(all.marked);
  row.deepest = Bytes(part(all.deepest.count()));
  row.backlog_time = all.backlog_time / count;
  return row;
}

void observe_ports(const Network& network, const Fabric& fabric, Time end, Telemetry& telemetry) {
  PacketRecord& record = *telemetry.packets;
  const Net& net = network.net;
  record.ports = Table<PortId, PortRecord>(fabric.port_from.size());
  record.by_credits = net.p.credit_step != 0 && !net.p.island;
  record.classes.assign(kClasses, {});
  record.port_pauses.clear();
  for (std::uint32_t i = 0; i < network.port_count(); i++) {
    const Port& port = net.ports[i];
    const PortId id = network.id_of(i);
    if (!id.valid()) continue;
    PortRecord row;
    row.packets = port.packets;
    row.bytes = Bytes(static_cast<std::int64_t>(port.bytes));
    row.marked = port.marked;
    row.dropped = port.dropped;
    row.pauses = port.pauses;
    for (std::uint8_t c = 0; c < kClasses; c++) {
      const PauseCounter& pause_counter = net.pause_counters[std::size_t{i} * kClasses + c];
      const Time lasting = (port.paused >> c & 1) != 0 ? std::max<Time>(0, end - pause_counter.changed) : 0;
      row.paused += Picoseconds(pause_counter.sum + lasting);
      if (pause_counter.watched != kNever && (!row.watchdog || Picoseconds(pause_counter.watched) < *row.watchdog))
        row.watchdog = Picoseconds(pause_counter.watched);
      record.classes[c].paused += Picoseconds(pause_counter.sum + lasting);
      record.classes[c].pauses += pause_counter.count;
      if (!port.by_credits && pause_counter.count + pause_counter.sent > 0)
        record.port_pauses.push_back({id, c, pause_counter.sent, pause_counter.count,
                                      pause_counter.count - (port.paused >> c & 1U), Picoseconds(pause_counter.sum + lasting)});
    }
    row.deepest = Bytes(port.deepest);
    if (port.deepest > 0) {  // of switches: what waits at a NIC is not followed
      const Time lasts = port.backlog > 0 ? std::max<Time>(0, end - port.backlog_at) : 0;
      row.backlog_time = static_cast<double>(port.backlog_time) * 1024e-12 +
                         static_cast<double>(port.backlog) * static_cast<double>(lasts) * 1e-12;
      row.emptied = Picoseconds(port.backlog_at + lasts);
    }
    for (std::uint8_t c = 0; c < kClasses; c++) {
      const Ingress& in = net.ingress[net.ingress_index(port.link, c)];
      row.buffered_most += Bytes(in.held_most);
      row.headroom_most += Bytes(in.headroom_most);
    }
    if (port.by_credits) {
      record.credit_stalls += row.pauses;
      record.stalled += row.paused;
    } else {
      record.paused += row.paused;
    }
    telemetry.trunk_carried[fabric.port_trunk[id]] += row.bytes;
    const IdRange<PortId> side_by_side = network.ids_of(i);
    for (std::uint32_t nth = 0; nth < side_by_side.size(); nth++) {
      PortRecord& own = record.ports[side_by_side[nth]];
      own = share_of(row, nth, side_by_side.size());
      telemetry.port_carried[side_by_side[nth]] += own.bytes;
    }
  }
}

/// Data packets that wait in the queues of a switch.
std::uint64_t still_queued(const Net& net, std::uint32_t node) {
  std::uint64_t count = 0;
  const auto add = [&](const Queue& queue) {
    for (std::uint32_t slot = queue.head; slot != kNone; slot = net.pools[node].slots[slot].next)
      count += net.pools[node].slots[slot].is_data();
  };
  if (net.p.scheduled)
    for (const VirtualQueue& one : net.voqs[node].queues) add(one.queue);
  for (std::uint32_t port = net.first_port[node]; port < net.first_port[node + 1]; port++) {
    if (net.p.reduces && net.ports[port].to_host && net.hosts[net.ports[port].to].is_reducer) continue;
    for (const Queue& queue : net.ports[port].queue) add(queue);
  }
  return count;
}

void observe_waits(const Network& network, PacketRecord& record) {
  const Net& net = network.net;
  std::uint64_t all = 0;
  record.waits.assign(kWaits, 0);
  for (std::uint32_t node = 0; node < network.nodes(); node++) {
    if (network.is_host(node)) continue;
    const Switch& s = net.switches[node];
    for (const std::uint64_t count : s.depth) all += count;
    all -= still_queued(net, node);
    for (std::size_t k = 0; k < kWaits; k++) record.waits[k] += s.waits[k], all -= s.waits[k];
  }
  record.unqueued = all;
}

void observe_nics(const Network& network, PacketRecord& record) {
  const Net& net = network.net;
  std::vector<std::uint64_t> resent(network.nodes(), 0);
  for (std::uint32_t flow = 0; flow < network.flow_count(); flow++)
    resent[net.ends[flow].from] += net.senders[flow].retransmissions;
  record.nics.clear();
  for (std::uint32_t node = 0; node < network.nodes(); node++) {
    if (!network.is_host(node) || !network.is_of_fabric(node)) continue;
    const Host& host = net.hosts[node];
    record.nics.push_back({NodeId(node), host.cnp_sent, host.cnp_handled, host.marked_in, host.out_of_sequence, host.naks,
                           host.timeouts, resent[node]});
  }
}

void observe_nodes(const Network& network, PacketRecord& record) {
  const Net& net = network.net;
  record.switches = {};
  for (std::uint32_t node = 0; node < network.nodes(); node++) {
    const Switch& s = net.switches[node];
    if (network.is_of_fabric(node)) record.switches.push({Bytes(static_cast<std::int64_t>(s.used_most))});
    record.hops += s.hops;
    record.data_hops += s.data_hops;
    for (std::size_t c = 0; c < kClasses; c++) {
      record.marked += s.marked[c];
      record.classes[c].marked += s.marked[c];
      record.classes[c].dropped += s.dropped[c];
    }
    record.pauses += s.pauses;
    record.resumes += s.resumes;
    record.storms += s.storms;
    record.trimmed += s.trimmed;
    for (std::size_t reason = 0; reason < kDropReasons; reason++) record.drops[reason] += s.drops[reason];
    for (int k = 0; k < 32; k++)
      if (s.depth[k] > 0) record.depth.add(k == 0 ? 0 : std::int64_t{1} << (k - 1), s.depth[k]);
    const Host& host = net.hosts[node];
    record.hops += host.hops;
    record.data_hops += host.data_hops;
    record.cnp_sent += host.cnp_sent;
    record.cnp_handled += host.cnp_handled;
    record.acks += host.acks;
    record.naks += host.naks;
    record.timeouts += host.timeouts;
    record.broken += host.broken;
    record.pauses += host.pauses;
    record.resumes += host.resumes;
    record.drops[static_cast<std::size_t>(DropReason::out_of_order)] += host.out_of_order;
    record.drops[static_cast<std::size_t>(DropReason::buffer)] += host.overflowed;
  }
  for (std::uint32_t flow = 0; flow < network.flow_count(); flow++) record.retransmissions += net.senders[flow].retransmissions;
}

void observe_virtual_queues(const Network& network, PacketRecord& record) {
  std::vector<VirtualQueueRecord>& found = record.deepest_virtual_queues;
  found.clear();
  for (std::uint32_t node = 0; node < network.nodes() && network.net.p.scheduled; node++)
    for (const VirtualQueue& one : network.net.voqs[node].queues)
      if (one.deepest > 0)
        found.push_back({NodeId(node), network.id_of(one.port), static_cast<std::uint8_t>(one.nth), Bytes(one.deepest)});
  record.virtual_queues = found.size();
  std::sort(found.begin(), found.end(), [](const VirtualQueueRecord& a, const VirtualQueueRecord& b) {
    return std::tuple(b.deepest, a.at, a.port, a.queue) < std::tuple(a.deepest, b.at, b.port, b.queue);
  });
  if (found.size() > PacketRecord::kMostVirtualQueues) found.resize(PacketRecord::kMostVirtualQueues);
}

void observe_losses(const Network& network, PacketRecord& record) {
  const Net& net = network.net;
  for (std::uint32_t i = 0; i < network.port_count() && net.p.fails; i++) {
    const LinkFault& fault = net.faults[net.ports[i].link];
    if (fault.lost == 0) continue;
    record.lost += fault.lost;
    record.losses.push_back({network.id_of(i), fault.lost, fault.lost_data, Bytes(static_cast<std::int64_t>(fault.bytes)),
                             Picoseconds(fault.first), Picoseconds(fault.last)});
  }
}

void observe_pauses(const Network& network, LookaheadScheduler& windows, PacketRecord& record) {
  for (PauseRecord one : windows.pauses) {
    one.paused_port = network.id_of(one.paused_port.index());
    if (!one.paused_port.valid()) continue;  // a reducer waits: inside its switch
    if (one.cause.valid()) one.cause = network.id_of(one.cause.index());
    record.pause_log.push_back(one);
  }
  windows.pauses.clear();
  std::sort(record.pause_log.begin(), record.pause_log.end(), [](const PauseRecord& a, const PauseRecord& b) {
    return std::tuple(a.at, a.paused_port, a.traffic_class) < std::tuple(b.at, b.paused_port, b.traffic_class);
  });
  if (record.pause_log.size() > PacketRecord::kMostPauses) record.pause_log.resize(PacketRecord::kMostPauses);
}

}  // namespace

void observe(const Network& network, const Fabric& fabric, LookaheadScheduler& windows, Picoseconds end, Telemetry& telemetry) {
  PacketRecord& record = *telemetry.packets;
  observe_ports(network, fabric, end.count(), telemetry);
  observe_nodes(network, record);
  observe_waits(network, record);
  observe_virtual_queues(network, record);
  observe_nics(network, record);
  observe_losses(network, record);
  observe_pauses(network, windows, record);
  record.windows = windows.windows;
  windows.sampler.take_last(end.count());
  record.series = windows.sampler.series(fabric.port_from.size());
  Fingerprint& fingerprint = telemetry.fingerprint;
  for (const std::uint64_t count : {record.hops, record.marked, record.cnp_sent, record.pauses, record.resumes,
                                    record.retransmissions, record.drops[0], record.drops[1], record.drops[4]})
    fingerprint.add(count);
  const std::uint64_t ends = record.drops[static_cast<std::size_t>(DropReason::queue)] + record.trimmed;
  if (ends > 0) fingerprint.add(ends);
  if (record.lost > 0) fingerprint.add(record.lost);
}

namespace {

/// Ports of a switch that hold packets which came in over `link`.
std::vector<std::uint32_t> holders(const Net& net, std::uint32_t node, std::uint32_t link) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t port = net.first_port[node]; port < net.first_port[node + 1]; port++)
    for (std::uint8_t c = 0; c < kClasses; c++) {
      bool holds = false;
      for (std::uint32_t slot = net.ports[port].queue[c].head; slot != kNone && !holds; slot = net.pools[node].slots[slot].next)
        holds = net.pools[node].slots[slot].in == link;
      if (holds) found.push_back(port);
    }
  return found;
}

/// Follows who waits for whom from a port on, along paused ports; true once a port is met again that is still being followed.
bool follow(const Network& network, std::uint32_t port, std::vector<char>& state, std::vector<std::uint32_t>& path) {
  const Net& net = network.net;
  state[port] = 1;
  path.push_back(port);
  const Port& p = net.ports[port];
  if (!p.to_host)
    for (const std::uint32_t next : holders(net, p.to, p.link)) {
      if (net.ports[next].paused == 0) continue;
      if (state[next] == 1) {
        path.erase(path.begin(), std::find(path.begin(), path.end(), next));
        return true;
      }
      if (state[next] == 0 && follow(network, next, state, path)) return true;
    }
  state[port] = 2;
  path.pop_back();
  return false;
}

}  // namespace

void find_deadlock(const Network& network, Picoseconds at, PacketRecord& record) {
  std::vector<char> state(network.port_count(), 0);
  std::uint32_t first = kNone;
  for (std::uint32_t port = 0; port < network.port_count(); port++) {
    const Port& p = network.net.ports[port];
    if (p.paused == 0) continue;
    if (first == kNone && p.backlog > 0 && network.id_of(port).valid()) first = port;
    std::vector<std::uint32_t> path;
    if (state[port] != 0 || !follow(network, port, state, path)) continue;
    DeadlockRecord found{at, true, {}};
    for (const std::uint32_t one : path)
      if (network.id_of(one).valid()) found.ports.push_back(network.id_of(one));
    record.deadlocks.push_back(std::move(found));
    return;
  }
  if (first != kNone) record.deadlocks.push_back({at, false, {network.id_of(first)}});
}

void observe_failures(const Network& network, const Fabric& fabric, const PacketPlan& plan, const Failover& failover,
                      const std::vector<Timeout>& timeouts, PacketRecord& record) {
  for (const Failover::Rerouted& one : failover.rerouted()) record.rerouted.push_back({one.at, one.queue_pairs});
  for (const HostFault& one : plan.host_faults)
    record.host_faults.push_back({fabric.node_of(EndpointId(one.host)), one.storms, one.from, one.until});
  std::map<std::uint32_t, std::size_t> row_of;  // by flow
  for (const Timeout& timeout : timeouts) {
    const auto [found, added] = row_of.try_emplace(timeout.flow, record.timed_out.size());
    if (added) {
      const Net::Ends& ends = network.net.ends[timeout.flow];
      record.timed_out.push_back({.from = network.place_of(ends.from),
                                  .to = network.place_of(ends.to),
                                  .timeouts = 0,
                                  .first = Picoseconds(timeout.at),
                                  .broken = {}});
    }
    TimeoutRecord& row = record.timed_out[found->second];
    row.timeouts++;
    if (timeout.broken) row.broken = Picoseconds(timeout.at);
  }
}

}  // namespace railyard::packet
