#include "sim/simulate.h"

#include <algorithm>
#include <optional>

#include "base/fingerprint.h"
#include "base/parallel.h"
#include "engine/engine.h"
#include "fabric/build.h"
#include "sim/supported.h"

namespace railyard {

namespace {

std::string fingerprint_of(const std::vector<CollectiveRun>& points) {
  Fingerprint all;
  for (const CollectiveRun& point : points) {
    all.add(static_cast<std::uint64_t>(point.size.count()));
    all.add(point.telemetry.fingerprint.value());
  }
  return all.text();
}

/// Builds the network a training step is described with, seats its ranks, and looks how far their traffic goes. The step is
/// timed without it, so what cannot be wired is a warning.
Diagnostics reach(const Scenario& scenario, Run& run) {
  if (!scenario.given("fabric.topology")) return {};
  Diagnostics found;
  const auto warn = [&](const Diagnostics& problems) {
    for (Diagnostic problem : problems) {
      problem.severity = Severity::warning;
      found.push_back(std::move(problem));
    }
  };
  Result<Fabric> fabric = build_fabric(scenario);
  if (!fabric) return warn(fabric.error()), found;
  Result<Placement> placement = place(scenario, run.training->step.layout.ranks(), *fabric);
  if (!placement) return warn(placement.error()), found;
  run.fabric = std::move(*fabric);
  run.placement = std::move(*placement);
  run.training->reach = reach_of_groups(run.training->step, run.fabric, run.placement);
  run.training->tier_rates = rates_per_gpu(run.fabric);
  return found;
}

Result<Run> train(const Scenario& scenario) {
  Result<Step> step = build_step(scenario);
  if (!step) return step.error();
  if (Diagnostics refused = too_long(scenario, *step); !refused.empty()) return refused;
  const Diagnostics doubts = doubts_about(scenario, *step);
  Run run{.training = run_step(scenario, std::move(*step)),
          .fabric = {},
          .placement = {},
          .wire = wire_format(scenario.transport),
          .routing = path_policy_of(scenario),
          .collectives = {},
          .diagnostics = idle_network(scenario),
          .fingerprint = {}};
  run.diagnostics.insert(run.diagnostics.end(), doubts.begin(), doubts.end());
  const Diagnostics unwired = reach(scenario, run);
  run.diagnostics.insert(run.diagnostics.end(), unwired.begin(), unwired.end());
  run.fingerprint = run.training->fingerprint;
  return run;
}

}  // namespace

WireFormat wire_format(const TransportSpec& transport) {
  return {.mtu = transport.mtu, .header = transport.packet_overhead(), .message_header = transport.message_overhead()};
}

void match_to_demand(const Scenario& scenario, const Placement& placement, Fabric& fabric) {
  if (scenario.fabric.circuits != Circuits::demand || fabric.pods.size() < 2) return;
  const bool all = scenario.collective->kind == CollectiveKind::all_to_all;
  PodDemand demand(fabric.pods.size(), std::vector<double>(fabric.pods.size(), 0));
  const auto pod = [&](EndpointId endpoint) {
    const auto found = std::find(fabric.pods.begin(), fabric.pods.end(), fabric.pod_of(endpoint));
    return static_cast<std::size_t>(found - fabric.pods.begin());
  };
  for (const NetEdge& edge : net_edges(all ? NetPattern::all_to_all : NetPattern::ring, nodes_of(fabric, placement)))
    demand[pod(edge.from)][pod(edge.to)] += edge.share;
  match_circuits(fabric, scenario, demand);
}

Result<Run> simulate(const Scenario& scenario, const RunOptions& options, Progress& progress) {
  if (Diagnostics refused = unsupported(scenario); !refused.empty()) return refused;

  if (scenario.model) return train(scenario);
  Result<Fabric> fabric = build_fabric(scenario);
  if (!fabric) return fabric.error();
  if (Diagnostics refused = too_long(scenario, *fabric); !refused.empty()) return refused;
  Run run{.training = {},
          .fabric = std::move(*fabric),
          .placement = {},
          .wire = wire_format(scenario.transport),
          .routing = path_policy_of(scenario),
          .collectives = {},
          .diagnostics = {},
          .fingerprint = {}};
  run.diagnostics = without_effect(scenario, run.fabric);
  const std::uint32_t ranks = group_size(scenario, run.fabric);
  Result<Placement> placement = place(scenario, ranks, run.fabric);
  if (!placement) return placement.error();
  run.placement = std::move(*placement);

  match_to_demand(scenario, run.placement, run.fabric);
  // Points of a sweep do not meet: each has the network for itself.
  const CollectiveGroup group = make_group(scenario, {run.fabric, run.wire, run.routing}, run.placement);
  const Diagnostics doubts = doubts_about(scenario, group.nodes);
  run.diagnostics.insert(run.diagnostics.end(), doubts.begin(), doubts.end());
  const std::vector<Bytes>& sizes = scenario.collective->sizes;
  std::uint64_t messages = 0;
  for (const Bytes size : sizes) messages += messages_of(group, size);
  progress.expect(messages);
  std::vector<std::optional<Result<CollectiveRun>>> points(sizes.size());
  for_each_index(sizes.size(), options.threads, [&](std::size_t i) { points[i] = run_collective(group, sizes[i], progress); });
  for (auto& point : points) {
    if (!*point) return point->error();
    run.collectives.push_back(std::move(**point));
  }
  run.fingerprint = fingerprint_of(run.collectives);
  return run;
}

}  // namespace railyard
