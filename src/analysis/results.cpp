#include "analysis/results.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/check_results.h"
#include "analysis/limit.h"
#include "base/check.h"
#include "base/quantity_text.h"
#include "fabric/ecmp.h"
#include "fabric/routes.h"

namespace railyard {

namespace {

double gigabytes_per_second(Bytes size, Picoseconds time) { return static_cast<double>(size.count()) / seconds(time) / 1e9; }

CollectivePoint point_of(const CollectiveRun& collective, const Run& run, std::span<const PortChange> failures) {
  const auto ranks = static_cast<std::uint32_t>(run.placement.size());
  CollectivePoint point{.size = collective.size,
                        .time = collective.time,
                        .bound = collective.bound,
                        .algorithm = std::string(name_of(collective.algorithm)),
                        .protocol = collective.protocol ? std::string(name_of(*collective.protocol)) : std::string(),
                        .channels = collective.channels,
                        .limit = {}};
  point.algbw_gbs = gigabytes_per_second(collective.size, collective.time);
  point.busbw_gbs = point.algbw_gbs * bus_factor(collective.kind, ranks);
  point.of_bound = seconds(collective.bound) / seconds(collective.time);
  point.sent = collective.sent / static_cast<double>(collective.size.count());
  point.limit = limit_of(run.fabric, failures, collective);
  if (!collective.protocol) point.message_cdf = cdf_of(collective.telemetry.message_time, 1e-6);
  if (collective.telemetry.packets)
    point.packets = analyse_packets(run.fabric, *collective.telemetry.packets, {Picoseconds::zero(), collective.observed});
  return point;
}

std::string failure_text(const Failure& failure) {
  std::vector<std::string> states;
  if (failure.rate) states.push_back(failure.is_down() ? "is down" : "runs at " + format(*failure.rate));
  if (failure.loss > 0) states.push_back(fmt::format("loses {:g} of its packets", failure.loss));
  if (failure.bit_errors > 0) states.push_back(fmt::format("has {:g} errors per bit", failure.bit_errors));
  if (failure.storms) states.emplace_back("pauses its switch");
  if (failure.takes)
    states.push_back(*failure.takes == BitsPerSecond::zero() ? "takes no packets in"
                                                             : "takes packets in at " + format(*failure.takes));
  std::string text = fmt::format("{} {}", failure.name, fmt::join(states, " and "));
  if (failure.direction != FailureDirection::both)
    text += failure.direction == FailureDirection::out ? " (outward)" : " (inward)";
  if (failure.from > Picoseconds::zero()) text += " from " + format(failure.from);
  if (failure.until) text += " until " + format(*failure.until);
  if (failure.every) text += fmt::format(", {} times, every {}", failure.times, format(*failure.every));
  return text;
}

/// Interfaces under the fullest leaf.
std::uint32_t most_per_leaf(const Fabric& f) {
  std::vector<std::uint32_t> under(f.blocks.size(), 0);
  for (const BlockId leaf : f.leaf)
    if (leaf.valid()) under[leaf.index()]++;
  return under.empty() ? 0 : *std::max_element(under.begin(), under.end());
}

RunFabric summarise(const Scenario& scenario, const Run& run) {
  const Fabric& f = run.fabric;
  RunFabric summary{.topology = std::string(name_of(f.topology)),
                    .endpoints = f.endpoints(),
                    .leaves = f.count(NodeKind::leaf),
                    .hosts_per_leaf = most_per_leaf(f),
                    .spines = f.count(NodeKind::spine),
                    .cores = f.count(NodeKind::core) + f.count(NodeKind::gateway),
                    .pods = f.blocks_of(NodeKind::spine),
                    .uplinks = 0,
                    .links_per_spine = 0,
                    .link_rate = scenario.fabric.link_rate,
                    .uplink_rate = scenario.fabric.uplink_rate};
  const Block* leaf = f.blocks.empty() || f.drawn ? nullptr : &f.blocks[BlockId(0)];
  if (leaf && leaf->parent.valid()) {
    summary.uplinks = f.trunk_ports[leaf->up].size() / leaf->width;
    summary.links_per_spine = leaf->links;
    const double down = summary.hosts_per_leaf * static_cast<double>(f.trunk_rate(host_up_trunk(f, InterfaceId(0))).count());
    summary.oversubscription = down / static_cast<double>(f.trunk_rate(leaf->up).count());
  }
  for (const RankId rank : ids(run.placement)) {
    const RankId next((rank.index() + 1) % static_cast<std::uint32_t>(run.placement.size()));
    const EndpointId from = run.placement[rank], to = run.placement[next];
    if (!share_domain(f, from, to) && f.leaf_of(relay_of(f, from, to)) != f.leaf_of(to)) summary.neighbours_across++;
  }
  return summary;
}

/// How long what was simulated takes; of collectives, the largest.
double length_of(const Results& results, const Run& run) {
  if (results.step) return results.step->step_time_s;
  if (results.traffic) return results.traffic->makespan_us / 1e6;
  double longest = 0;
  for (const CollectiveRun& collective : run.collectives) longest = std::max(longest, seconds(collective.time));
  return longest;
}

Results analyse_run(const Scenario& scenario, const Run& run) {
  Results results;
  results.name = scenario.name;
  results.engine = name_of(scenario.engine.fidelity);
  results.fingerprint = run.fingerprint;
  results.inputs = scenario.inputs;
  results.balanced = !keeps_path(scenario.routing.policy) && !scenario.routing.paths;
  for (const Failure& failure : scenario.failures) results.failures.push_back(failure_text(failure));
  results.diagnostics = run.diagnostics;
  if (!run.training) results.patterns = analyse_patterns(scenario, run, nullptr);
  if (run.training) {
    results.step = analyse_step(scenario, *run.training);
    results.ranks = run.training->step.layout.ranks();
    results.memory = run.training->memory + (run.slice     ? run.slice->traffic.memory.total()
                                             : run.packets ? run.packets->memory.total()
                                                           : Bytes::zero());
    if (run.network) results.network = analyse_network(scenario, run);
    if (run.network) results.fabric = summarise(scenario, run);
    if (run.packets) results.packets = analyse_packet_step(run);
    if (run.slice) results.slice = analyse_slice(run);
    if (run.training->jitter) results.jitter = analyse_jitter(*run.training);
    if (run.training->circuits) results.circuits = analyse_circuits(*run.training);
    results.patterns = analyse_patterns(scenario, run, &*results.step);
    return results;
  }
  results.ranks = static_cast<std::uint32_t>(run.placement.size());
  results.fabric = summarise(scenario, run);
  if (run.trace) results.trace = analyse_trace(scenario, run);
  if (run.traffic) {
    results.traffic = run.trace ? analyse_trace_messages(scenario, run) : analyse_traffic(scenario, run);
    return results;
  }
  const Result<std::vector<PortChange>> failures = port_changes(scenario.failures, run.fabric);
  RY_CHECK(failures, "failures that cannot be are refused before a run");
  for (const CollectiveRun& collective : run.collectives) results.points.push_back(point_of(collective, run, *failures));
  const auto largest = std::max_element(run.collectives.begin(), run.collectives.end(),
                                        [](const CollectiveRun& a, const CollectiveRun& b) { return a.size < b.size; });
  if (largest == run.collectives.end()) return results;
  results.tiers = tier_loads(run.fabric, largest->telemetry, largest->time);
  if (scenario.engine.fidelity == Fidelity::flow) results.solving = largest->telemetry.solving;
  results.members = member_loads(run.fabric, largest->telemetry);
  results.rails = rail_loads(run.fabric, largest->telemetry, largest->time);
  results.by_port = bytes_by_port(run, *largest);
  results.memory = largest->memory;
  results.collective = std::string(name_of(largest->kind));
  results.library = !scenario.workload.library ? "" : scenario.workload.library->rccl ? "RCCL" : "NCCL";
  results.unhelped = bus_factor(largest->kind, results.ranks);
  return results;
}

}  // namespace

Results analyse(const Scenario& scenario, const Run& run) {
  Results results = analyse_run(scenario, run);
  if (scenario.engine.fidelity == Fidelity::flow)
    results.lost_links = lost_links(scenario.failures, run.fabric, length_of(results, run));
  check_results(results);
  return results;
}

}  // namespace railyard
