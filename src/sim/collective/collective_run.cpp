#include "sim/collective/collective_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "collective/host_limits.h"
#include "sim/collective/library_hint.h"
#include "sim/collective/packet_guard.h"
#include "sim/collective/play.h"
#include "sim/collective/uneven_pairs.h"
#include "sim/isolation.h"
#include "sim/message_memory.h"
#include "sim/packet_limits.h"
#include "sim/sent_bytes.h"

namespace railyard {

namespace {

constexpr std::uint64_t kMostMessages = (std::uint64_t{1} << 32) - 1;
constexpr std::uint32_t kLargestAllToAll = 65'535;  // ranks: pairs have 32-bit numbers
constexpr std::uint32_t kLargestUneven = 2048;      // ranks of an all-to-all with a size for every pair

Diagnostic refused(const Scenario& scenario, const char* code, const char* key, std::string what, std::string hint) {
  return {Severity::error, code, std::move(what), std::move(hint), scenario.keys.where(key)};
}

constexpr const char* kOtherFabric = "use another algorithm or a fabric whose switches join all ranks";

/// Why no switches can add up for a group.
std::string no_root(const Fabric& fabric) {
  return fabric.drawn ? "a drawn fabric does not say which switches reduce"
                      : "the switches above the group have no common root";
}

SwitchHelp help_of(CollectiveAlgorithm algorithm) {
  const bool helps = algorithm == CollectiveAlgorithm::nvls || algorithm == CollectiveAlgorithm::in_network;
  return helps ? SwitchHelp::reduce_and_multicast : SwitchHelp::none;
}

CollectiveAlgorithm algorithm_of(const CollectiveSpec& spec) {
  return spec.algorithm == CollectiveAlgorithm::automatic ? algorithms_for(spec.kind).front() : spec.algorithm;
}

/// The schedule of a group that has no library, with its trunks to reducing switches.
Result<Schedule> lowered(const CollectiveGroup& group, SeatedGroup& seats, Bytes size) {
  const CollectiveSpec& spec = *group.scenario.workload.collective;
  const CollectiveAlgorithm algorithm = algorithm_of(spec);
  if (algorithm == CollectiveAlgorithm::in_network && !add_reduction_tree(group.network.fabric, seats))
    return refused(group.scenario, "RY-RUN-007", "collective.algorithm", no_root(group.network.fabric), kOtherFabric);
  const Fabric& fabric = group.network.fabric;
  if (algorithm == CollectiveAlgorithm::nvls && (fabric.scale_up.wiring == ScaleUpWiring::mesh || fabric.drawn))
    return refused(group.scenario, "RY-RUN-007", "collective.algorithm",
                   fabric.drawn ? "nvls needs a scale-up switch that reduces, and a drawn fabric does not say which do"
                                : "nvls needs a scale-up switch that reduces, and a mesh has none",
                   "use another algorithm");
  const bool by_domain = algorithm == CollectiveAlgorithm::hierarchical || algorithm == CollectiveAlgorithm::nvls ||
                         algorithm == CollectiveAlgorithm::pxn;
  if (by_domain && fabric.scale_up.domain > 1 && seats.shape.per_domain == 1 && group.nodes.size() < group.seats.seats.size())
    return refused(group.scenario, "RY-RUN-004", "collective.algorithm",
                   fmt::format("algorithm \"{}\" needs the same number of ranks, consecutive, in every scale-up domain",
                               name_of(algorithm)),
                   "change the group or the placement, or use another algorithm");
  if (spec.kind == CollectiveKind::all_to_all && seats.shape.positions > kLargestAllToAll)
    return refused(
        group.scenario, "RY-RUN-005", spec.group ? "collective.group" : "cluster.gpus",
        fmt::format("an all_to_all over {} ranks has more messages than the engine simulates", seats.shape.positions),
        fmt::format("use at most {} ranks, or name a gpu so that its library's closed form is used", kLargestAllToAll));
  LowerOptions options;
  std::vector<Bytes> pairs;
  if (spec.skew > 0) {
    if (seats.shape.positions > kLargestUneven)
      return refused(group.scenario, "RY-RUN-005", "collective.skew",
                     fmt::format("skew on an all_to_all over {} ranks gives too many message sizes", seats.shape.positions),
                     fmt::format("use at most {} ranks", kLargestUneven));
    pairs = uneven_pairs(seats.shape.positions, size, spec.skew);
    options.pair_sizes = pairs;
  }
  Result<Schedule> schedule = lower(spec.kind, algorithm, seats.shape, size, options);
  if (!schedule) {
    Diagnostics errors = schedule.error();
    for (Diagnostic& error : errors) error.where = group.scenario.keys.where("collective.algorithm");
    return errors;
  }
  if (schedule->switches > 0 && algorithm != CollectiveAlgorithm::in_network)
    add_domain_switches(group.network.fabric, *schedule, seats);
  return schedule;
}

/// `record`: of packets, where those were simulated.
Diagnostic never_ends(const CollectiveGroup& group, const std::optional<PacketRecord>& record) {
  if (!group.scenario.routing.fixed.empty())
    return refused(
        group.scenario, "RY-RUN-030", "routing.static",
        fmt::format("{} never completes: static routes form a forwarding loop, and messages are in it or wait behind it",
                    name_of(group.scenario.workload.collective->kind)),
        "remove the route that closes the loop; with [traffic] the report names the ports in the deadlock");
  if (record)
    return refused(group.scenario, "RY-RUN-035", "collective",
                   fmt::format("{} never completes: {}", name_of(group.scenario.workload.collective->kind),
                               why_undelivered(group.network.fabric, *record)),
                   "change what keeps them (buffers, thresholds, timeouts); with [traffic] the report names the ports");
  return refused(
      group.scenario, "RY-RUN-030", "failures",
      fmt::format("{} never completes: some destinations are unreachable", name_of(group.scenario.workload.collective->kind)),
      "remove the failure, let it end, or add links");
}

/// An error if failures that last keep a rank from one, or from a switch, that it sends to.
Diagnostics cut_off(const CollectiveGroup& group, const SeatedGroup& seats, const Schedule& schedule) {
  if (group.network.failures.empty()) return {};
  std::vector<EndpointPair> pairs;
  std::vector<SwitchEdge> trunks;
  for (const EdgeLoad& edge : edge_loads(schedule)) {
    if (!schedule.is_switch(edge.from) && !schedule.is_switch(edge.to)) {
      pairs.emplace_back(seats.seats[edge.from.index()], seats.seats[edge.to.index()]);
      continue;
    }
    const bool climbs = schedule.parent[edge.from] == edge.to;
    const std::size_t low = (climbs ? edge.from : edge.to).index();
    trunks.emplace_back((climbs ? seats.up : seats.down)[low], low < schedule.positions ? seats.seats[low] : EndpointId());
  }
  const LivePorts live = live_after(group.network.fabric, lasting(group.network.failures));
  if (Diagnostics dead = dead_edges(group.scenario.keys, group.network.fabric, live, trunks); !dead.empty()) return dead;
  return unreachable_pairs(group.scenario.keys, group.network.fabric, live, pairs);
}

/// The schedule, unless it cannot be played.
Result<Schedule> planned(const CollectiveGroup& group, SeatedGroup& seats, Bytes size) {
  Result<Schedule> schedule = lowered(group, seats, size);
  if (!schedule) return schedule;
  if (schedule->messages() > kMostMessages)
    return refused(group.scenario, "RY-RUN-005",
                   group.scenario.workload.collective->group ? "collective.group" : "cluster.gpus",
                   fmt::format("{} over {} ranks needs {} messages, more than the engine simulates", name_of(schedule->kind),
                               schedule->positions, schedule->messages()),
                   "use a smaller group, another algorithm, or name a gpu so that its library's closed form is used");
  if (Diagnostics cut = cut_off(group, seats, *schedule); !cut.empty()) return cut;
  if (group.network.packet)
    if (Diagnostics refused = too_much_to_play(group, *schedule, seats); !refused.empty()) return refused;
  const Bytes memory = played_memory(group, *schedule);
  if (Diagnostics refused = too_long_schedule(group.scenario, memory, schedule->positions, group.memory); !refused.empty())
    return refused;
  return schedule;
}

/// What was sent until the end counts; what was sent later (the last ACKs, what is sent again because its ACK was lost) must
/// have been possible, too.
void keep_until_end(const Fabric& fabric, Picoseconds end, Telemetry& telemetry) {
  const std::vector<Picoseconds>& samples = telemetry.packets->series.at;
  check_carried(fabric, samples.empty() ? end : std::max(end, samples.back()), telemetry);
  forget_sent_after(fabric, end, telemetry);
}

/// Flows are told as they end, packets in the same order at the end.
void tell_packets(const CollectiveGroup& group, const CollectiveRun& run) {
  if (!group.network.on_flow || !run.telemetry.packets) return;
  for (const MessageRecord& record : run.telemetry.packets->messages)
    group.network.on_flow(
        {name_of(run.kind), {}, 0, record.posted, record.delivered, record.payload, record.from, record.to, 1, run.size});
}

Result<CollectiveRun> played(const CollectiveGroup& group, Bytes size, Progress& progress) {
  SeatedGroup seats = group.seats;
  Result<Schedule> schedule = planned(group, seats, size);
  if (!schedule) return schedule.error();
  const Fabric& fabric = group.network.fabric;
  CollectiveRun run{.kind = schedule->kind,
                    .size = size,
                    .algorithm = schedule->algorithm,
                    .protocol = {},
                    .schedule = std::move(*schedule),
                    .time = {},
                    .observed = {},
                    .latency = {},
                    .bound = {},
                    .bound_at = {},
                    .telemetry = Telemetry(fabric.trunk_tier.size())};
  run.memory = played_memory(group, *run.schedule);
  const std::vector<Bytes>& sizes = group.scenario.workload.collective->sizes;  // the largest of them is drawn
  run.telemetry.keeps_flow_series = std::all_of(sizes.begin(), sizes.end(), [&](Bytes other) { return other <= size; });
  if (group.network.on_flow)
    run.telemetry.on_flow = [&](const Telemetry::Flow& flow) {
      group.network.on_flow({.what = name_of(run.kind),
                             .group = {},
                             .start = flow.start,
                             .finish = flow.finish,
                             .size = flow.payload,
                             .from = flow.from,
                             .to = flow.to,
                             .collective = run.size,
                             .fabric = &group.network.fabric,
                             .links = flow.links,
                             .links_are_ports = !run.telemetry.port_carried.empty()});
    };
  Network network = group.network;
  network.packet_options.reduces = run.algorithm == CollectiveAlgorithm::in_network;
  auto engine = make_engine(network, run.telemetry);
  run.time = play(*run.schedule, {seats.seats, seats.up, seats.down}, *engine, progress);
  if (run.time == Picoseconds::max() && !group.network.packet) return never_ends(group, {});
  engine->finish();
  if (run.time == Picoseconds::max()) return never_ends(group, run.telemetry.packets);
  run.observed = run.time;
  engine.reset();
  if (run.telemetry.packets) keep_until_end(fabric, run.time, run.telemetry);
  run.telemetry.on_flow = {};
  tell_packets(group, run);
  for (const EdgeLoad& edge : edge_loads(*run.schedule))
    if (!run.schedule->is_switch(edge.from)) run.sent += static_cast<double>(edge.bytes.count()) / run.schedule->positions;
  check_delivery(*run.schedule, run.telemetry);
  return run;
}

NetPattern pattern_of(CollectiveKind kind, CollectiveAlgorithm algorithm, NetPattern exchange) {
  if (kind == CollectiveKind::all_to_all) return exchange;
  if (kind == CollectiveKind::send) return NetPattern::point;
  if (algorithm == CollectiveAlgorithm::tree || algorithm == CollectiveAlgorithm::nvls) return NetPattern::tree;
  return NetPattern::ring;
}

/// Bytes the busiest node sends to others, in the pattern of the algorithm.
double bytes_between_nodes(CollectiveKind kind, CollectiveAlgorithm algorithm, double size, const Communicator& group) {
  const double per_node = group.per_node, ranks = group.ranks;
  if (kind == CollectiveKind::all_to_all) return size * per_node * (ranks - per_node) / ranks;
  if (algorithm == CollectiveAlgorithm::in_network) return size;
  if (pattern_of(kind, algorithm, NetPattern::all_to_all) == NetPattern::tree) return size * tree_load(group.nodes);
  return size * bus_factor(kind, group.ranks);
}

/// Bytes a rank hands to its links: what an algorithm without help sends, or once the buffer where switches add up.
double bytes_of_rank(CollectiveKind kind, CollectiveAlgorithm algorithm, double size, const Communicator& group,
                     std::size_t ranks) {
  const bool helped =
      algorithm == CollectiveAlgorithm::in_network || (algorithm == CollectiveAlgorithm::nvls && group.nodes == 1);
  return helped ? size : size * bus_factor(kind, static_cast<std::uint32_t>(ranks));
}

/// What a probe would have seen with that many times the bytes.
Telemetry scaled(const Telemetry& probe, double factor) {
  Telemetry out(probe.trunk_carried.size());
  const auto times = [&](auto value) {
    return decltype(value)(static_cast<std::int64_t>(static_cast<double>(value.count()) * factor));
  };
  for (const TrunkId trunk : ids(probe.trunk_carried)) {
    out.trunk_carried[trunk] = times(probe.trunk_carried[trunk]);
    out.trunk_path_time[trunk] = times(probe.trunk_path_time[trunk]);
  }
  out.count_ports(probe.port_carried.size());
  for (const PortId port : ids(probe.port_carried)) out.port_carried[port] = times(probe.port_carried[port]);
  out.packets = probe.packets;  // of the probe itself: congestion does not scale
  return out;
}

/// What the library asks for: its own choice, or what the scenario insists on.
Result<Estimate> estimated(const CollectiveGroup& group, Bytes size) {
  const CollectiveSpec& spec = *group.scenario.workload.collective;
  Communicator communicator = *group.communicator;
  communicator.in_network = spec.algorithm == CollectiveAlgorithm::in_network;
  if (spec.algorithm == CollectiveAlgorithm::automatic && spec.protocol == ProtocolChoice::automatic)
    return choose(spec.kind, size, communicator);
  std::optional<Estimate> best;
  for (std::size_t i = 1; i < std::size(ChoiceNames<CollectiveAlgorithm>::names); i++) {  // whatever the library may have
    const auto algorithm = static_cast<CollectiveAlgorithm>(i);
    if (spec.algorithm != CollectiveAlgorithm::automatic && algorithm != spec.algorithm) continue;
    for (const Protocol protocol : {Protocol::ll, Protocol::ll128, Protocol::simple}) {
      const bool wanted = spec.protocol == ProtocolChoice::automatic ||
                          static_cast<std::uint8_t>(spec.protocol) == static_cast<std::uint8_t>(protocol) + 1;
      if (!wanted) continue;
      const auto one = estimate(spec.kind, algorithm, protocol, size, communicator);
      if (one && (!best || one->time < best->time)) best = one;
    }
  }
  if (best) return *best;
  return refused(group.scenario, "RY-RUN-004",
                 spec.algorithm == CollectiveAlgorithm::automatic ? "collective.protocol" : "collective.algorithm",
                 not_modelled(spec, communicator.library), "leave both out" + without_library(spec));
}

/// How the library carries the collective out, unless it cannot.
Result<Estimate> chosen(const CollectiveGroup& group, Bytes size) {
  const CollectiveSpec& spec = *group.scenario.workload.collective;
  if (spec.skew > 0)
    return refused(group.scenario, "RY-RUN-003", "collective.skew", "an all_to_all with skew is not supported with a library",
                   "set library = \"none\" to simulate it on the bare network");
  if (spec.algorithm == CollectiveAlgorithm::in_network && (group.network.fabric.drawn || !group.network.fabric.pods.empty()) &&
      group.nodes.size() > 1)
    return refused(group.scenario, "RY-RUN-007", "collective.algorithm", no_root(group.network.fabric), kOtherFabric);
  for (const auto& [pattern, probe] : group.measured.probes)
    if (probe.time == Picoseconds::max()) return never_ends(group, probe.telemetry.packets);
  return estimated(group, size);
}

Result<CollectiveRun> by_library(const CollectiveGroup& group, Bytes size) {
  const CollectiveSpec& spec = *group.scenario.workload.collective;
  const Result<Estimate> found = chosen(group, size);
  if (!found) return found.error();
  const auto bytes = static_cast<double>(size.count());
  CollectiveRun run{.kind = spec.kind,
                    .size = size,
                    .algorithm = found->algorithm,
                    .protocol = found->protocol,
                    .channels = found->channels,
                    .schedule = {},
                    .time = found->time,
                    .observed = {},
                    .latency = found->latency,
                    .bound = {},
                    .bound_at = {},
                    .sent = bytes_of_rank(spec.kind, found->algorithm, bytes, *group.communicator, group.placement.size()),
                    .telemetry = Telemetry(group.network.fabric.trunk_tier.size())};
  if (const auto probe = group.measured.probes.find(pattern_of(spec.kind, found->algorithm, exchange_of(group.scenario)));
      probe != group.measured.probes.end()) {
    const double factor = bytes_between_nodes(spec.kind, found->algorithm, bytes, *group.communicator) / probe->second.bytes;
    run.telemetry = scaled(probe->second.telemetry, factor);
    run.observed = probe->second.time;
    run.time =
        std::max(run.time, from_seconds(seconds(probe->second.time) * factor));  // never faster than the network carries it
  }
  const std::uint64_t words[] = {static_cast<std::uint64_t>(run.time.count()), static_cast<std::uint64_t>(run.algorithm)};
  run.telemetry.fingerprint.add(words);
  return run;
}

Communicator communicator_of(const Scenario& scenario, const Network& network,
                             const std::vector<std::vector<EndpointId>>& nodes, const MeasuredNetwork& measured) {
  Communicator group;
  group.library = scenario.workload.library->rccl ? Library::rccl : Library::nccl;
  group.gpu = scenario.workload.library->gpu;
  group.constants = scenario.workload.library->library;
  group.link = static_cast<double>(scenario.workload.library->link.count()) / 8;
  group.nodes = static_cast<std::uint32_t>(nodes.size());
  std::size_t ranks = 0;
  for (const auto& node : nodes) ranks += node.size();
  group.per_node = static_cast<std::uint32_t>((ranks - 1) / nodes.size() + 1);  // of uneven nodes, the mean
  group.ranks = group.per_node * group.nodes;
  group.nics_per_node = std::max(1U, group.per_node / network.fabric.per_interface);
  group.in_order = scenario.workload.library->in_order;
  group.nvls = group.gpu.nvls_rate.has_value() && group.per_node > 1;
  group.net = measured.rates;
  group.net.point *= group.nics_per_node;  // measured on one NIC of each node
  group.net_latency = measured.latency;
  const FabricPlan& plan = scenario.fabric;
  limit_by_host(scenario.workload.host,
                {plan.interfaces_per_node * plan.ports / plan.planes, double(group.per_node) / plan.per_node}, group);
  return group;
}

}  // namespace

CollectiveGroup make_group(const Scenario& scenario, const Network& network, const Placement& placement) {
  CollectiveGroup group{scenario,
                        network,
                        placement,
                        seat_group(network.fabric, placement),
                        nodes_of(network.fabric, placement),
                        limits_of(network.fabric, placement),
                        {},
                        {},
                        kMemoryLimit};
  if (!scenario.workload.library) return group;
  group.measured = measure_network(network, group.nodes, scenario.workload.collective->kind, exchange_of(scenario));
  group.communicator = communicator_of(scenario, network, group.nodes, group.measured);
  return group;
}

Result<Schedule> schedule_of(const CollectiveGroup& group, SeatedGroup& seats, Bytes size) {
  return planned(group, seats, size);
}

Diagnostics refused_collective(const CollectiveGroup& group, Bytes size) {
  if (group.communicator) {
    const Result<Estimate> found = chosen(group, size);
    return found ? Diagnostics{} : found.error();
  }
  SeatedGroup seats = group.seats;
  const Result<Schedule> schedule = planned(group, seats, size);
  return schedule ? Diagnostics{} : schedule.error();
}

std::uint64_t messages_of(const CollectiveGroup& group, Bytes size) {
  if (group.communicator) return 0;
  SeatedGroup seats = group.seats;
  const Result<Schedule> schedule = lowered(group, seats, size);
  return schedule ? schedule->messages() : 0;
}

Result<CollectiveRun> run_collective(const CollectiveGroup& group, Bytes size, Progress& progress) {
  Result<CollectiveRun> run = group.communicator ? by_library(group, size) : played(group, size, progress);
  if (!run) return run;
  const Bound bound = collective_bound(group.limits, run->kind, size, help_of(run->algorithm),
                                       run->algorithm == CollectiveAlgorithm::in_network);
  if (group.communicator) run->time = std::max(run->time, bound.time);  // hardware that its constants were not set for
  run->bound = bound.time;
  run->bound_at = bound.at;
  check_rates(group.network.fabric, run->time, bound, run->telemetry);
  return run;
}

}  // namespace railyard
