#include "sim/collective/packet_guard.h"

#include <algorithm>
#include <vector>

#include "sim/message_memory.h"
#include "sim/packet_limits.h"
#include "sim/packet_memory.h"
#include "sim/prepare.h"

namespace railyard {

namespace {

/// What a schedule means to packets.
struct PlayedPackets {
  PacketWork work;
  MemoryEstimate memory;
};

PlayedPackets packets_of(const CollectiveGroup& group, const Schedule& schedule, const SeatedGroup& seats) {
  const Network& network = group.network;
  std::vector<PairLoad> loads;
  std::uint64_t connections = 0;
  for (const EdgeLoad& edge : edge_loads(schedule)) {
    connections++;
    if (schedule.is_switch(edge.from) || schedule.is_switch(edge.to)) continue;
    loads.push_back({seats.seats[edge.from.index()], seats.seats[edge.to.index()], edge.bytes, edge.messages});
  }
  const PacketWork work = packet_work(network.fabric, network.wire, network.routing.queue_pairs, loads);
  return {work, packet_memory(network.fabric, network.wire, *network.packet,
                              {.messages = schedule.messages(),
                               .packets = static_cast<std::uint64_t>(work.packets),
                               .queue_pairs = connections * network.routing.queue_pairs,
                               .switches_choose = !keeps_path(network.routing.policy)})};
}

/// Who sends to whom as a library's patterns are measured, one after the other.
std::vector<std::vector<PairLoad>> probes_of(const Scenario& scenario, const Network& network, const Placement& placement) {
  const auto nodes = nodes_of(network.fabric, placement);
  if (!scenario.workload.library || nodes.size() < 2) return {};
  std::vector<NetPattern> patterns{NetPattern::ring, NetPattern::tree};
  if (scenario.workload.collective->kind == CollectiveKind::all_to_all) patterns.push_back(exchange_of(scenario));
  const double bytes = kPacketProbe * static_cast<double>(nodes.front().size());
  std::vector<std::vector<PairLoad>> all;
  for (const NetPattern pattern : patterns) {
    std::vector<PairLoad>& loads = all.emplace_back();
    for (const NetEdge& edge : net_edges(pattern, nodes, network.nics, network.fabric.per_interface))
      loads.push_back({edge.from, edge.to, Bytes(static_cast<std::int64_t>(edge.share * bytes)), network.routing.queue_pairs});
  }
  return all;
}

PlayedPackets probe_packets(const Network& network, const std::vector<PairLoad>& loads) {
  const PacketWork work = packet_work(network.fabric, network.wire, network.routing.queue_pairs, loads);
  const std::uint64_t pairs = loads.size() * network.routing.queue_pairs;
  return {work, packet_memory(network.fabric, network.wire, *network.packet,
                              {.messages = pairs,
                               .packets = static_cast<std::uint64_t>(work.packets),
                               .queue_pairs = pairs,
                               .switches_choose = !keeps_path(network.routing.policy)})};
}

}  // namespace

Diagnostics too_much_to_play(const CollectiveGroup& group, const Schedule& schedule, const SeatedGroup& seats) {
  const PlayedPackets packets = packets_of(group, schedule, seats);
  if (Diagnostics refused = too_much_work(group.scenario, packets.work, "collective.sizes"); !refused.empty()) return refused;
  return too_much_memory(group.scenario, packets.memory, group.memory);
}

Bytes played_memory(const CollectiveGroup& group, const Schedule& schedule) {
  if (group.network.packet) return packets_of(group, schedule, group.seats).memory.total();
  if (direct_pairs(*group.scenario.workload.collective, schedule.positions) > 0)
    return collective_memory(group.scenario, group.network.fabric, schedule.positions,
                             group.scenario.workload.collective->sizes.size());
  std::uint64_t transfers = 0;
  for (const Round& round : schedule.rounds) transfers += round.transfers.size();
  return schedule_memory(group.scenario, group.network.fabric, edge_loads(schedule).size(), transfers);
}

Diagnostics too_many_to_play(const Scenario& scenario, const Fabric& fabric, std::uint32_t ranks, Bytes memory) {
  const auto pairs = static_cast<std::uint64_t>(direct_pairs(*scenario.workload.collective, ranks));
  const PathPolicy routing = path_policy_of(scenario.routing);
  const TrafficAmount least{.messages = pairs,
                            .packets = 0,
                            .queue_pairs = pairs * routing.queue_pairs,
                            .switches_choose = !keeps_path(routing.policy)};
  return too_much_memory(scenario, packet_memory(fabric, wire_format(scenario.transport), scenario.packet, least), memory);
}

Bytes measured_memory(const Scenario& scenario, const Network& network, const Placement& placement) {
  Bytes most;
  std::uint64_t connections = 0;
  for (const std::vector<PairLoad>& loads : probes_of(scenario, network, placement)) {
    connections = std::max<std::uint64_t>(connections, loads.size());
    if (network.packet) most = std::max(most, probe_packets(network, loads).memory.total());
  }
  if (connections == 0 || network.packet) return most;
  return probe_memory(scenario, network.fabric, connections);
}

Diagnostics too_much_to_measure(const Scenario& scenario, const Network& network, const Placement& placement, Bytes memory) {
  const char* key = scenario.workload.collective->group ? "collective.group" : "cluster.gpus";
  if (!network.packet)
    return too_long_schedule(scenario, measured_memory(scenario, network, placement),
                             static_cast<std::uint32_t>(placement.size()), memory);
  for (const std::vector<PairLoad>& loads : probes_of(scenario, network, placement)) {
    const PlayedPackets packets = probe_packets(network, loads);
    if (Diagnostics refused = too_much_work(scenario, packets.work, key); !refused.empty()) return refused;
    if (Diagnostics refused = too_much_memory(scenario, packets.memory, memory); !refused.empty()) return refused;
  }
  return {};
}

}  // namespace railyard
