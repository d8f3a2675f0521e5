#include "sim/traffic/traffic_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "engine/team.h"
#include "fabric/latency.h"
#include "fabric/routes.h"
#include "sim/isolation.h"
#include "sim/message_memory.h"
#include "sim/packet_limits.h"
#include "sim/supported.h"
#include "sim/team_parts.h"
#include "sim/traffic/lone_message.h"
#include "sim/traffic/pair_numbers.h"

namespace railyard {

namespace {

constexpr std::uint64_t pair_of(EndpointId from, EndpointId to) { return std::uint64_t{from.index()} << 32 | to.index(); }

/// The slowest link of a path, and what the path costs beyond the time of sending, for messages of a full packet or more.
struct IdlePath {
  BitsPerSecond slowest = BitsPerSecond::zero();
  Picoseconds latency;
};

Picoseconds latency_of(const Network& network, const TrunkPath& path, BitsPerSecond slowest, Bytes packet) {
  return packet_time(network.fabric, path, packet) - transmit_time(packet, slowest);
}

bool has_one_path(const Network& network) {
  return keeps_path(network.routing.policy) && (network.routing.queue_pairs == 1 || network.routing.hash.pinned);
}

/// The way of a message that is alone; of unlike links that a drawing has for one hop of one path, the fastest.
TrunkPath path_alone(const Network& network, EndpointId from, EndpointId to) {
  const TrunkPath whole = path_of(network.fabric, from, to);
  if (!has_one_path(network)) return whole;
  TrunkPath path;
  for (const TrunkShare& step : whole) {
    const bool same_hop = !path.empty() && path.back().hop == step.hop;
    if (!same_hop)
      path.push_back(step);
    else if (network.fabric.trunk_port_rate[step.trunk] > network.fabric.trunk_port_rate[path.back().trunk])
      path.back() = step;
  }
  return path;
}

IdlePath idle_path(const Network& network, const TrunkPath& path) {
  const bool one_path = has_one_path(network);
  IdlePath idle{BitsPerSecond::max(), {}};
  for (const TrunkShare& step : path)
    idle.slowest =
        std::min(idle.slowest, one_path ? network.fabric.trunk_port_rate[step.trunk] : network.fabric.trunk_rate(step.trunk));
  idle.latency = latency_of(network, path, idle.slowest, network.wire.packet_size(network.wire.mtu));
  return idle;
}

/// `idle` is filled where it is not yet.
Picoseconds ideal_time(const Network& network, const PlannedMessage& message, IdlePath& idle) {
  const bool is_short = message.size < network.wire.mtu;
  TrunkPath path;
  if (is_short || idle.slowest == BitsPerSecond::zero()) path = path_alone(network, message.from, message.to);
  if (idle.slowest == BitsPerSecond::zero()) idle = idle_path(network, path);
  return transmit_time(network.wire.wire_size(message.size), idle.slowest) +
         (is_short ? latency_of(network, path, idle.slowest, network.wire.packet_size(message.size)) : idle.latency);
}

/// Numbers connections as messages first need them.
class ConnectionTable {
 public:
  explicit ConnectionTable(const std::vector<PlannedMessage>& messages) {
    of_.reserve(messages.size());
    for (const PlannedMessage& message : messages) {
      RY_CHECK(message.traffic_class < kClasses, "a message has a class");
      const std::uint32_t number = numbers_[message.traffic_class].find_or_add(pair_of(message.from, message.to),
                                                                               static_cast<std::uint32_t>(pairs_.size()));
      if (number == pairs_.size()) pairs_.push_back({message.from, message.to, message.traffic_class});
      of_.push_back(number);
    }
  }
  [[nodiscard]] const std::vector<QueuePair>& pairs() const { return pairs_; }
  [[nodiscard]] std::uint32_t of(std::size_t message) const { return of_[message]; }

 private:
  PairNumbers numbers_[kClasses];
  std::vector<QueuePair> pairs_;
  std::vector<std::uint32_t> of_;
};

/// An error if all messages one after the other over the slowest link would leave the range of time.
Diagnostics too_long(const Scenario& scenario, const Network& network, const std::vector<PlannedMessage>& messages) {
  double bytes = 0, slowest = 1e300;
  for (const PlannedMessage& message : messages) bytes += static_cast<double>(network.wire.wire_size(message.size).count());
  for (const BitsPerSecond rate : network.fabric.trunk_port_rate)
    slowest = std::min(slowest, static_cast<double>(rate.count()));
  const double last = messages.empty() ? 0 : static_cast<double>(messages.back().start.count());
  if (network.packet && last >= static_cast<double>(kLongestPacketRun.count()))
    return {{Severity::error, "RY-RUN-011",
             fmt::format("a message starts after {}, and the packet engine stops after {}", format(messages.back().start),
                         format(kLongestPacketRun)),
             "let it start earlier, or use fidelity = \"flow\"", scenario.keys.where("traffic")}};
  if (bytes < 1e18 && bytes * 8e12 / slowest + last < kLongestTraffic) return {};
  return {{Severity::error, "RY-RUN-011", "this traffic exceeds Railyard's limits of time or bytes",
           "use smaller or fewer messages, or faster links", scenario.keys.where("traffic")}};
}

/// An error if failures that last keep a sender from its receiver.
Diagnostics cut_off(const Scenario& scenario, const Network& network, const std::vector<QueuePair>& connections) {
  if (network.failures.empty()) return {};
  std::vector<EndpointPair> pairs;
  for (const QueuePair& one : connections) pairs.emplace_back(one.from, one.to);
  return unreachable_pairs(scenario.keys, network.fabric, live_after(network.fabric, lasting(network.failures)), pairs);
}

TrafficAmount amount_of(const Network& network, const std::vector<PlannedMessage>& messages,
                        const ConnectionTable& connections) {
  TrafficAmount amount{.messages = messages.size(),
                       .queue_pairs = connections.pairs().size() * network.routing.queue_pairs,
                       .switches_choose = !keeps_path(network.routing.policy)};
  for (const PlannedMessage& message : messages)
    amount.packets += static_cast<std::uint64_t>((message.size.count() - 1) / network.wire.mtu.count() + 1);
  return amount;
}

/// An error if that is too much to simulate packet by packet.
Diagnostics too_much_work(const Scenario& scenario, const Network& network, const std::vector<PlannedMessage>& messages,
                          const ConnectionTable& connections) {
  std::vector<PairLoad> loads;
  for (const QueuePair& pair : connections.pairs()) loads.push_back({pair.from, pair.to, Bytes::zero()});
  for (std::size_t i = 0; i < messages.size(); i++) {
    loads[connections.of(i)].bytes += messages[i].size;
    loads[connections.of(i)].messages++;
  }
  const PacketWork work = packet_work(network.fabric, network.wire, network.routing.queue_pairs, loads);
  return too_much_work(scenario, work, scenario.keys.given("traffic.size") ? "traffic.size" : "traffic");
}

void post_all(const std::vector<PlannedMessage>& messages, const ConnectionTable& connections, Engine& engine) {
  std::vector<QpId> open;
  for (const QueuePair& pair : connections.pairs()) open.push_back(engine.open(pair));
  std::vector<Message> together;
  for (std::size_t i = 0; i < messages.size(); i++) {
    together.push_back({MessageId(static_cast<std::uint32_t>(i)), open[connections.of(i)], messages[i].size});
    if (i + 1 < messages.size() && messages[i + 1].start == messages[i].start) continue;
    engine.post(together, messages[i].start);
    together.clear();
  }
}

/// What is sure to be needed, before anything is planned.
Diagnostics hopeless(const Scenario& scenario, const Network& network, Bytes memory) {
  const auto [pairs, messages] = least_traffic(scenario, network.fabric);
  if (!network.packet) return too_many_messages(scenario, network.fabric, pairs, messages, memory);
  const TrafficAmount least{.messages = messages, .packets = 0, .queue_pairs = pairs * network.routing.queue_pairs};
  return too_much_memory(scenario, packet_memory(network.fabric, network.wire, *network.packet, least), memory);
}

/// Runs until everything is delivered or nothing moves any more; false if something is left.
bool deliver_all(Engine& engine, std::vector<Picoseconds>& delivered, Progress& progress) {
  std::vector<Completion> done;
  for (std::size_t left = delivered.size(); left > 0; left -= done.size()) {
    done.clear();
    engine.advance(Picoseconds::max(), done);
    if (done.empty()) return false;
    for (const Completion& completion : done) delivered[completion.id.index()] = completion.at;
    progress.add(done.size());
  }
  engine.advance(Picoseconds::max(), done);  // ACKs are still under way
  return true;
}

/// What single packets tell of messages beyond their delivery.
void adopt_records(const PacketRecord& packets, TrafficRun& run) {
  for (const MessageRecord& record : packets.messages) {
    const std::size_t message = record.id.index();
    if (record.acknowledged > record.delivered) run.acknowledged[message] = record.acknowledged;
  }
}

/// What each message would have needed alone.
void add_ideal_times(const Network& network, const ConnectionTable& connections, TrafficRun& run) {
  std::vector<LoneMessage> alone;
  alone.reserve(connections.pairs().size());
  for (const QueuePair& pair : connections.pairs()) alone.emplace_back(network, pair.from, pair.to);
  for (std::size_t i = 0; i < run.messages.size(); i++)
    if (run.delivered[i] != Picoseconds::max())
      run.ideal[i] = alone[connections.of(i)].time_of(run.messages[i].size, run.delivered[i] - run.messages[i].start);
}

/// What a message is part of.
std::string_view purpose_of(const Scenario& scenario, const PlannedMessage& message) {
  if (message.traffic_class == kBackgroundClass) return "background";
  if (message.traffic_class == kStorageClass) return "storage";
  return name_of(scenario.workload.traffic->pattern);
}

void report_flows(const Scenario& scenario, const Network& network, const TrafficRun& run) {
  for (const MessageRecord& record : run.telemetry.packets->messages) {
    const PlannedMessage& message = run.messages[record.id.index()];
    network.on_flow({.what = purpose_of(scenario, message),
                     .group = {},
                     .start = message.start,
                     .finish = record.delivered,
                     .size = message.size,
                     .from = message.from,
                     .to = message.to});
  }
}

}  // namespace

Picoseconds TrafficRun::end() const {
  if (sums) return sums->end();
  Picoseconds last;
  for (const Picoseconds at : delivered)
    if (at != Picoseconds::max()) last = std::max(last, at);
  return last;
}

Picoseconds ideal_time(const Network& network, EndpointId from, EndpointId to, Bytes size) {
  IdlePath idle;
  return ideal_time(network, {from, to, size, {}}, idle);
}

Diagnostics undelivered(const Scenario& scenario, const Fabric& fabric, const TrafficRun& run) {
  const auto stuck = std::count(run.delivered.begin(), run.delivered.end(), Picoseconds::max());
  if (stuck == 0) return {};
  const std::string why =
      run.telemetry.packets ? why_undelivered(fabric, *run.telemetry.packets) : "some destinations are unreachable";
  return {{Severity::error, "RY-RUN-035",
           fmt::format("{} of {} messages never arrive: {}", format_count(static_cast<std::uint64_t>(stuck)),
                       format_count(run.messages.size()), why),
           "find the ports in the report; times and rates cover the other messages", scenario.keys.where("traffic")}};
}

namespace {

/// What is to be played, and the connections it is played over.
struct PlannedRun {
  TrafficRun run;
  ConnectionTable connections;
};

/// Everything that is refused is refused here, but for traffic that a later failure stops.
Result<PlannedRun> planned(const Scenario& scenario, const Network& network, const Placement& placement, Bytes memory) {
  if (Diagnostics refused = hopeless(scenario, network, memory); !refused.empty()) return refused;
  Result<std::vector<PlannedMessage>> messages = plan_traffic(scenario, network.fabric, placement);
  if (!messages) return messages.error();
  if (Diagnostics refused = too_long(scenario, network, *messages); !refused.empty()) return refused;
  TrafficRun run{.messages = std::move(*messages),
                 .delivered = {},
                 .acknowledged = {},
                 .ideal = {},
                 .telemetry = Telemetry(network.fabric.trunk_tier.size())};
  run.telemetry.max_rate_intervals = kMaxRateIntervals;
  run.telemetry.keeps_flow_series = true;
  ConnectionTable connections(run.messages);
  run.connections = connections.pairs().size();
  if (Diagnostics cut = cut_off(scenario, network, connections.pairs()); !cut.empty()) return cut;
  if (network.packet) {
    run.memory = packet_memory(network.fabric, network.wire, *network.packet, amount_of(network, run.messages, connections));
    if (Diagnostics refused = too_much_work(scenario, network, run.messages, connections); !refused.empty()) return refused;
    if (Diagnostics refused = too_much_memory(scenario, run.memory, memory); !refused.empty()) return refused;
  }
  if (!network.packet) {
    run.memory.messages = messages_memory(scenario, network.fabric, run.connections, run.messages.size());
    if (Diagnostics refused = too_many_messages(scenario, network.fabric, run.connections, run.messages.size(), memory);
        !refused.empty())
      return refused;
  }
  return PlannedRun{std::move(run), std::move(connections)};
}

}  // namespace

Diagnostics refused_traffic(const Scenario& scenario, const Network& network, const Placement& placement, Bytes memory) {
  const Result<PlannedRun> plan = planned(scenario, network, placement, memory);
  return plan ? Diagnostics{} : plan.error();
}

Result<TrafficRun> run_traffic(const Scenario& scenario, const Network& network, const Placement& placement, Bytes memory,
                               Progress& progress, TeamPost* team) {
  Result<PlannedRun> plan = planned(scenario, network, placement, memory);
  if (!plan) return plan.error();
  TrafficRun run = std::move(plan->run);
  const ConnectionTable& connections = plan->connections;
  if (network.on_flow && network.flow)
    run.telemetry.on_flow = [&](const Telemetry::Flow& flow) {
      network.on_flow({.what = name_of(scenario.workload.traffic->pattern),
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
  const auto engine = team ? make_team_engine(network.fabric, network.wire, network.routing, *network.packet,
                                              network.packet_options, *team, run.telemetry)
                           : make_engine(network, run.telemetry);
  progress.expect(kPartWork);
  Progress part(progress, kPartWork, fmt::format("messages of {}", name_of(scenario.workload.traffic->pattern)));
  part.expect(run.messages.size());
  run.delivered.assign(run.messages.size(), Picoseconds::max());
  post_all(run.messages, connections, *engine);
  const bool all = deliver_all(*engine, run.delivered, part);
  if (!all && !network.packet)
    return Diagnostic{Severity::error, "RY-RUN-030", "this traffic never completes: some destinations are unreachable",
                      "remove the failure, let it end, or add links", scenario.keys.where("failures")};
  engine->finish();
  run.telemetry.on_flow = {};
  run.acknowledged = run.delivered;
  run.ideal.assign(run.messages.size(), Picoseconds::zero());
  if (run.telemetry.packets) adopt_records(*run.telemetry.packets, run);
  add_ideal_times(network, connections, run);
  if (network.on_flow && run.telemetry.packets) report_flows(scenario, network, run);
  return run;
}

Result<TrafficRun> run_traffic(const Scenario& scenario, const Network& network, const Placement& placement, Bytes memory,
                               Progress& progress) {
  return run_traffic(scenario, network, placement, memory, progress, nullptr);
}

}  // namespace railyard
