#include "sim/collective/packet_guard.h"

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

Diagnostics too_much_to_measure(const Scenario& scenario, const Network& network, const Placement& placement, Bytes memory) {
  const auto nodes = nodes_of(network.fabric, placement);
  if (!scenario.workload.library || !network.packet || nodes.size() < 2) return {};
  const bool exchange = scenario.workload.collective->kind == CollectiveKind::all_to_all;
  for (const NetPattern pattern : {NetPattern::ring, NetPattern::tree, NetPattern::all_to_all}) {
    if (pattern == NetPattern::all_to_all && !exchange) continue;
    const double bytes = kPacketProbe * static_cast<double>(nodes.front().size());
    std::vector<PairLoad> loads;
    for (const NetEdge& edge : net_edges(pattern, nodes, network.nics, network.fabric.per_interface))
      loads.push_back({edge.from, edge.to, Bytes(static_cast<std::int64_t>(edge.share * bytes)), network.routing.queue_pairs});
    const PacketWork work = packet_work(network.fabric, network.wire, network.routing.queue_pairs, loads);
    const char* key = scenario.workload.collective->group ? "collective.group" : "cluster.gpus";
    if (Diagnostics refused = too_much_work(scenario, work, key); !refused.empty()) return refused;
    const std::uint64_t pairs = loads.size() * network.routing.queue_pairs;
    const MemoryEstimate estimate = packet_memory(network.fabric, network.wire, *network.packet,
                                                  {.messages = pairs,
                                                   .packets = static_cast<std::uint64_t>(work.packets),
                                                   .queue_pairs = pairs,
                                                   .switches_choose = !keeps_path(network.routing.policy)});
    if (Diagnostics refused = too_much_memory(scenario, estimate, memory); !refused.empty()) return refused;
  }
  return {};
}

}  // namespace railyard
