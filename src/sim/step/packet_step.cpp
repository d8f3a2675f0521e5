#include "sim/step/packet_step.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/quantity_text.h"
#include "engine/team.h"
#include "fabric/routes.h"
#include "sim/packet_limits.h"
#include "sim/prepare.h"
#include "sim/run.h"
#include "sim/sent_bytes.h"
#include "sim/step/step_carrier.h"
#include "sim/team_parts.h"

namespace railyard {

namespace {

constexpr double kHopsPerSecond = 8e6;    // with payload, of one core: for a first idea of the time
constexpr std::int64_t kStragglers = 10;  // that are kept

/// Links between two endpoints.
double links_between(const Fabric& fabric, const Edge& edge) {
  const TrunkPath path = path_of(fabric, edge.from, edge.to);
  return path.empty() ? 0 : static_cast<double>(path.back().hop) + 1;
}

/// Of a byte on the busiest edge of a bundle: bytes on all edges, on all links of theirs.
struct BundleWeight {
  double edges = 0, hops = 0;
};

BundleWeight weight_of(const Fabric& fabric, const Bundle& bundle) {
  BundleWeight weight;
  for (const Edge& edge : bundle.edges) {
    weight.edges += edge.share;
    weight.hops += edge.share * links_between(fabric, edge);
  }
  return weight;
}

TrafficAmount amount_of_step(const StepPackets& packets, const PathPolicy& routing) {
  const double in_flight = static_cast<double>(kMostPiecesInFlight * kPiece.count()) * static_cast<double>(packets.connections);
  const double a_packet = packets.packets > 0 ? packets.payload / packets.packets : 1;
  // Rows of messages are used again; two windows of an edge may wait for ACKs.
  const double rows = 2.0 * kMostPiecesInFlight * static_cast<double>(packets.connections);
  return {.messages = static_cast<std::uint64_t>(std::min(packets.messages, rows)),
          .packets = static_cast<std::uint64_t>(std::min(packets.packets, in_flight / a_packet)),
          .queue_pairs = packets.connections * std::max(1U, routing.queue_pairs),
          .switches_choose = !keeps_path(routing.policy)};
}

std::string hours_text(double span) {
  if (span < 600) return fmt::format("{:.0f} s", std::max(1.0, span));
  if (span < 2 * 3600) return fmt::format("{:.0f} minutes", span / 60);
  return span < 48 * 3600 ? fmt::format("{:.0f} hours", span / 3600) : fmt::format("{:.0f} days", span / 86400);
}

Diagnostics never_arrived(const Scenario& scenario, const Run& run, Diagnostics stuck) {
  stuck.push_back({Severity::error, "RY-RUN-035",
                   fmt::format("{} messages of the step never arrive: {}", format_count(run.network->packets->undelivered),
                               why_undelivered(run.fabric, *run.network->packets)),
                   "play a [slice] of it to see the ports, or remove the failure", scenario.keys.where("engine.fidelity")});
  return stuck;
}

}  // namespace

StepPackets count_packets(const Fabric& fabric, const WireFormat& wire, const CarriedStep& step) {
  std::vector<BundleWeight> weights;
  StepPackets out;
  for (const Bundle& bundle : step.bundles) {
    weights.push_back(weight_of(fabric, bundle));
    out.connections += bundle.edges.size();
  }
  for (const FlowRecord& one : step.collectives) {
    const BundleWeight& weight = weights[one.connection.index()];
    const auto bytes = static_cast<double>(one.size.count());
    const Pieces pieces = cut_into_pieces(bytes, one.steps);
    const double a_piece = std::ceil(bytes / pieces.count / static_cast<double>(wire.mtu.count()));
    out.packets += pieces.count * a_piece * weight.edges;
    out.hops += pieces.count * a_piece * weight.hops;
    out.messages += pieces.count * static_cast<double>(step.bundles[one.connection.index()].edges.size());
    out.payload += bytes * weight.edges;
  }
  return out;
}

std::vector<BitsPerSecond> left_by_nics(const Fabric& fabric, const WireFormat& wire, double share) {
  const double framing = static_cast<double>((wire.mtu + wire.header).count()) / static_cast<double>(wire.mtu.count());
  const double used = std::min(1.0, share * framing);
  std::vector<BitsPerSecond> left(fabric.port_from.size());
  for (const PortId port : ids(fabric.port_from)) {
    const TrunkId trunk = fabric.port_trunk[port];
    if (fabric.trunk_tier[trunk] != Tier::host_up) continue;
    const auto rate = static_cast<double>(fabric.trunk_port_rate[trunk].count());
    left[port.index()] = BitsPerSecond(static_cast<std::int64_t>(rate * (1 - used)));
  }
  return left;
}

void StepPackets::add(const StepPackets& other, double times) {
  packets += other.packets * times, hops += other.hops * times;
  messages += other.messages * times, payload += other.payload * times;
  connections += other.connections;
}

MemoryEstimate step_packet_memory(const Scenario& scenario, const Fabric& fabric, const WireFormat& wire,
                                  const PathPolicy& routing, const StepPackets& packets) {
  return packet_memory(fabric, wire, scenario.packet, amount_of_step(packets, routing));
}

Diagnostics too_many_packets(const Scenario& scenario, const StepPackets& packets, const char* what) {
  const auto limit = static_cast<double>(scenario.engine.limit);
  if (packets.hops <= limit) return {};
  return {{Severity::error, "RY-RUN-010",
           fmt::format("{} about {} packet-hops, about {} on one core; the limit is {}", what,
                       format_count(static_cast<std::uint64_t>(packets.hops)), hours_text(packets.hops / kHopsPerSecond),
                       format_count(scenario.engine.limit)),
           fmt::format("{} {:.0f} times fewer ranks or micro-batches, or raise engine.limit; fidelity = \"flow\" plays it in "
                       "seconds",
                       scenario.job ? "use" : "add [slice] to choose an interval of it, use", std::ceil(packets.hops / limit)),
           scenario.keys.where(scenario.keys.given("engine.limit") ? "engine.limit" : "engine.fidelity")}};
}

Result<StepRun> play_packets(const Scenario& scenario, const Step& step, const std::vector<PortChange>& failures,
                             const RunOptions& options, const StepRun& over_flows, const Jitter* jitter, Run& run,
                             Progress& progress, TeamPost* team) {
  PacketStep& out = run.packets.emplace();
  out.expected = count_packets(run.fabric, run.wire, *run.carried);
  out.over_flows = over_flows.time;
  out.flow_ops = over_flows.ops;
  if (Diagnostics refused = too_many_packets(scenario, out.expected, "this step is"); !refused.empty()) return refused;
  out.memory = step_packet_memory(scenario, run.fabric, run.wire, run.routing, out.expected);
  if (Diagnostics refused = too_much_memory(scenario, out.memory, options.memory); !refused.empty()) return refused;
  if (options.dry) return over_flows;
  PacketOptions packet;
  packet.threads = threads_of(options);
  packet.keeps_messages = false;
  packet.taken = left_by_nics(run.fabric, run.wire, scenario.workload.gpu->step.scale_out_share);
  packet.failures = failures;
  packet.watched = &progress;
  run.network.emplace(run.fabric.trunk_tier.size());
  run.carried->collectives.clear();
  auto engine = std::make_unique<PieceEngine>(
      team ? make_team_engine(run.fabric, run.wire, run.routing, scenario.packet, packet, *team, *run.network)
           : make_packet_engine(run.fabric, run.wire, run.routing, scenario.packet, packet, *run.network));
  const PieceEngine& pieces = *engine;
  StepCarrier carrier(scenario, step, run, failures, std::move(engine));
  carrier.traffic().let_engine_pass_on();
  StepNetwork network = carrier.network(jitter);
  network.on_flow = [&](const FlowRecord& one) {
    run.carried->collectives.push_back(one);
    if (options.on_flow) options.on_flow(one);
  };
  Result<StepRun> played = run_step(scenario, step, network, progress);
  carrier.engine().finish();
  if (!played) return never_arrived(scenario, run, played.error());
  forget_sent_after(run.fabric, played->time, *run.network);
  played->exact = true;
  played->alone = over_flows.alone;
  out.connections = pieces.connections();
  out.stragglers = pieces.stragglers(kStragglers);
  return played;
}

Result<StepRun> play_packets(const Scenario& scenario, const Step& step, const std::vector<PortChange>& failures,
                             const RunOptions& options, const StepRun& over_flows, const Jitter* jitter, Run& run,
                             Progress& progress) {
  return play_packets(scenario, step, failures, options, over_flows, jitter, run, progress, nullptr);
}

}  // namespace railyard
