#include "sim/trace/simulate_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "base/quantity_text.h"
#include "fabric/build.h"
#include "sim/isolation.h"
#include "sim/late_changes.h"
#include "sim/message_memory.h"
#include "sim/prepare.h"
#include "sim/remarks.h"
#include "sim/trace/trace_player.h"
#include "sim/traffic/lone_message.h"

namespace railyard {

namespace {

Diagnostic refused_trace(const Scenario& scenario, const char* code, const char* key, std::string what, std::string hint) {
  return {Severity::error, code, std::move(what), std::move(hint), scenario.keys.where(key)};
}

/// What is to be played, and how much there is of it.
struct PlannedTrace {
  TraceSchedules schedules;
  std::vector<PairLoad> loads;
  std::uint64_t messages = 0;
  MemoryEstimate memory;
};

TrafficAmount amount_of_trace(const Network& network, const PlannedTrace& plan) {
  TrafficAmount amount{.messages = plan.messages,
                       .packets = 0,
                       .queue_pairs = plan.loads.size() * network.routing.queue_pairs,
                       .switches_choose = !keeps_path(network.routing.policy)};
  for (const PairLoad& load : plan.loads)
    amount.packets += static_cast<std::uint64_t>(load.bytes.count() / network.wire.mtu.count()) + load.messages;
  return amount;
}

/// An error if everything one after the other over the slowest link would leave the range of time.
Diagnostics too_many_bytes(const Scenario& scenario, const Network& network, const PlannedTrace& plan) {
  double bytes = 0, slowest = 1e300;
  for (const PairLoad& load : plan.loads) bytes += static_cast<double>(load.bytes.count());
  for (const BitsPerSecond rate : network.fabric.trunk_port_rate)
    slowest = std::min(slowest, static_cast<double>(rate.count()));
  if (bytes < 1e17 && bytes * 8e12 / slowest < kLongestTraffic && plan.messages < 0xffff'ffff) return {};
  return {refused_trace(scenario, "RY-RUN-011", "trace", "this trace exceeds Railyard's limits of time, bytes or messages",
                        "use a shorter trace, or faster links")};
}

/// Everything that is refused before it is played.
Result<PlannedTrace> planned_trace(const Scenario& scenario, const Network& network, const Placement& placement, Bytes memory) {
  const TraceGraph& graph = *scenario.workload.trace->graph;
  Result<TraceSchedules> schedules = lower_trace(scenario, graph, network.fabric, placement);
  if (!schedules) return schedules.error();
  PlannedTrace plan{std::move(*schedules), {}, 0, {}};
  plan.loads = loads_of_trace(graph, plan.schedules, placement);
  for (const PairLoad& load : plan.loads) plan.messages += load.messages;
  if (Diagnostics refused = too_many_bytes(scenario, network, plan); !refused.empty()) return refused;
  if (!network.failures.empty()) {
    std::vector<EndpointPair> pairs;
    for (const PairLoad& load : plan.loads) pairs.emplace_back(load.from, load.to);
    const LivePorts live = live_after(network.fabric, lasting(network.failures));
    if (Diagnostics cut = unreachable_pairs(scenario.keys, network.fabric, live, pairs); !cut.empty()) return cut;
  }
  if (!network.packet) {
    const std::uint64_t kept = std::min(plan.messages, kKeptMessages);
    plan.memory.messages = messages_memory(scenario, network.fabric, plan.loads.size(), kept);
    if (Diagnostics refused = too_many_messages(scenario, network.fabric, plan.loads.size(), kept, memory); !refused.empty())
      return refused;
    return plan;
  }
  const PacketWork work = packet_work(network.fabric, network.wire, network.routing.queue_pairs, plan.loads);
  if (Diagnostics refused = too_much_work(scenario, work, "trace"); !refused.empty()) return refused;
  plan.memory = packet_memory(network.fabric, network.wire, *network.packet, amount_of_trace(network, plan));
  if (Diagnostics refused = too_much_memory(scenario, plan.memory, memory); !refused.empty()) return refused;
  return plan;
}

/// What single packets tell of messages beyond their delivery, and what each would have needed alone.
void complete_messages(const Network& network, TrafficRun& run) {
  if (run.sums) return;
  run.acknowledged = run.delivered;
  run.ideal.assign(run.messages.size(), Picoseconds::zero());
  if (run.telemetry.packets)
    for (const MessageRecord& record : run.telemetry.packets->messages)
      if (record.acknowledged > record.delivered) run.acknowledged[record.id.index()] = record.acknowledged;
  std::map<std::pair<EndpointId, EndpointId>, LoneMessage> alone;
  for (std::size_t i = 0; i < run.messages.size(); i++) {
    if (run.delivered[i] == Picoseconds::max()) continue;
    const PlannedMessage& message = run.messages[i];
    const auto known = alone.try_emplace({message.from, message.to}, network, message.from, message.to).first;
    run.ideal[i] = known->second.time_of(message.size, run.delivered[i] - message.start);
  }
}

/// Flows are told as they end, packets in the same order at the end.
void tell_flows(const Network& network, TrafficRun& run) {
  if (!network.on_flow || !network.flow) return;
  run.telemetry.on_flow = [&](const Telemetry::Flow& flow) {
    network.on_flow({.what = "trace",
                     .group = {},
                     .start = flow.start,
                     .finish = flow.finish,
                     .size = flow.payload,
                     .from = flow.from,
                     .to = flow.to,
                     .fabric = &network.fabric,
                     .links = flow.links,
                     .links_are_ports = !run.telemetry.port_carried.empty()});
  };
}

void tell_packets(const Network& network, const TrafficRun& run) {
  if (!network.on_flow || !run.telemetry.packets) return;
  for (const MessageRecord& record : run.telemetry.packets->messages) {
    const PlannedMessage& message = run.messages[record.id.index()];
    network.on_flow({.what = "trace",
                     .group = {},
                     .start = message.start,
                     .finish = record.delivered,
                     .size = message.size,
                     .from = message.from,
                     .to = message.to});
  }
}

Diagnostic not_played(const Scenario& scenario, const Network& network, TraceEnd end, const TrafficRun& run) {
  if (end == TraceEnd::too_long)
    return refused_trace(scenario, "RY-RUN-011", "trace", "this trace takes longer than eleven days",
                         "use a shorter one, or a smaller compute_scale");
  const std::string why =
      run.telemetry.packets ? why_undelivered(network.fabric, *run.telemetry.packets) : "some destinations are unreachable";
  return refused_trace(scenario, "RY-RUN-030", "failures", fmt::format("this trace never completes: {}", why),
                       "remove the failure, let it end, or add links");
}

/// What the messages of every schedule are part of, as a row of `rows`; the first is of messages by themselves. Of calls that
/// share a schedule the first names it.
std::vector<std::uint32_t> name_schedules(const TraceGraph& graph, const TraceSchedules& schedules,
                                          std::vector<std::string>& rows) {
  constexpr std::uint32_t kUnnamed = 0;
  rows = {"send"};
  std::map<std::string, std::uint32_t> known;
  std::vector<std::uint32_t> row(schedules.all.size(), kUnnamed);
  for (const TraceCallId id : ids(graph.calls)) {
    const std::uint32_t schedule = schedules.of_call[id];
    if (schedule == TraceSchedules::kNothing || row[schedule] != kUnnamed) continue;
    const TraceCall call = graph.calls[id];
    std::string name = fmt::format("{} ({} ranks)", name_of(call.kind), graph.groups[call.group].size());
    const auto [entry, is_new] = known.try_emplace(std::move(name), static_cast<std::uint32_t>(rows.size()));
    if (is_new) rows.push_back(entry->first);
    row[schedule] = entry->second;
  }
  return row;
}

/// Plays the trace into `run`; an error if it never ends.
Diagnostics play_into(const Scenario& scenario, const Network& network, const PlannedTrace& plan, std::uint64_t kept, Run& run,
                      Progress& progress) {
  const TraceSpec& trace = *scenario.workload.trace;
  run.traffic.emplace(TrafficRun{.messages = {},
                                 .delivered = {},
                                 .acknowledged = {},
                                 .ideal = {},
                                 .memory = plan.memory,
                                 .telemetry = Telemetry(network.fabric.trunk_tier.size())});
  TrafficRun& traffic = *run.traffic;
  traffic.telemetry.max_rate_intervals = kMaxRateIntervals;
  traffic.telemetry.keeps_flow_series = true;
  tell_flows(network, traffic);
  const auto engine = make_engine(network, traffic.telemetry);
  progress.expect(kPartWork);
  Progress part(progress, kPartWork, "nodes of the trace");
  part.expect(trace.graph->nodes.size());
  run.trace.emplace();
  TraceMessages messages(network, traffic, kept, name_schedules(*trace.graph, plan.schedules, traffic.traced.rows));
  const TraceEnd end =
      play_trace(*trace.graph, plan.schedules, run.placement, trace.compute_scale, *engine, messages, *run.trace, part);
  if (end == TraceEnd::done && network.packet) {
    std::vector<Completion> done;
    engine->advance(Picoseconds::max(), done);  // ACKs are still under way
  }
  engine->finish();
  traffic.telemetry.on_flow = {};
  if (end != TraceEnd::done) return {not_played(scenario, network, end, traffic)};
  complete_messages(network, traffic);
  tell_packets(network, traffic);
  return {};
}

std::string fingerprint_of(const Run& run) {
  Fingerprint all;
  all.add(run.traffic->telemetry.fingerprint.value());
  for (const TraceRankTimes& rank : run.trace->ranks)
    for (const Picoseconds time : {rank.end, rank.compute, rank.exposed, rank.waiting})
      all.add(static_cast<std::uint64_t>(time.count()));
  return all.text();
}

/// A note where messages are summed up.
Diagnostics summed_up(const Scenario& scenario, const TrafficRun& run) {
  if (!run.sums) return {};
  return {{Severity::note, "RY-RUN-095",
           fmt::format("this trace has {} messages, too many to keep each: their times are known to 0.05 %, and sizes of "
                       "messages and how many meet at a receiver are left out",
                       format_count(run.sums->all().taken.count())),
           "replay a part of it to see each message", scenario.keys.where("trace")}};
}

Network network_of_trace(const Scenario& scenario, const RunOptions& options, const PreparedRun& prepared,
                         std::uint32_t ranks) {
  Network network{prepared.run.fabric, prepared.run.wire, prepared.run.routing};
  network.failures = prepared.failures;
  network.on_flow = options.on_flow;
  if (scenario.engine.fidelity == Fidelity::flow) network.flow = flow_options(scenario, ranks);
  if (scenario.engine.fidelity == Fidelity::packet) {
    network.packet = &scenario.packet;
    network.packet_options = {.threads = threads_of(options)};
  }
  return network;
}

}  // namespace

Result<Run> simulate_trace(const Scenario& scenario, const RunOptions& options, Progress& progress) {
  const TraceGraph& graph = *scenario.workload.trace->graph;
  Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
  if (!fabric) return fabric.error();
  if (graph.ranks > fabric->endpoints())
    return refused_trace(scenario, "RY-RUN-033", scenario.keys.given("trace.ranks") ? "trace.ranks" : "trace",
                         fmt::format("the trace has {} ranks, and the fabric has {} hosts", graph.ranks, fabric->endpoints()),
                         fmt::format("set cluster.gpus to {} or more", graph.ranks));
  Result<PreparedRun> prepared = prepare(scenario, std::move(*fabric), graph.ranks);
  if (!prepared) return prepared.error();
  Run& run = prepared->run;
  for (const Diagnostics& more : {pointless(scenario, run.fabric, run.placement, prepared->failures, nullptr), graph.notes})
    run.diagnostics.insert(run.diagnostics.end(), more.begin(), more.end());
  const Network network = network_of_trace(scenario, options, *prepared, graph.ranks);
  const Result<PlannedTrace> plan = planned_trace(scenario, network, run.placement, options.memory);
  if (!plan) return plan.error();
  if (options.dry) return std::move(run);
  const std::uint64_t kept = network.packet ? std::numeric_limits<std::uint64_t>::max() : options.kept_messages;
  if (Diagnostics failed = play_into(scenario, network, *plan, kept, run, progress); !failed.empty()) return failed;
  for (const Diagnostics& more :
       {late_changes(scenario, "trace", run.traffic->telemetry.solving.late), summed_up(scenario, *run.traffic)})
    run.diagnostics.insert(run.diagnostics.end(), more.begin(), more.end());
  run.fingerprint = fingerprint_of(run);
  return std::move(run);
}

}  // namespace railyard
