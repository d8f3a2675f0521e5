#include "sim/prepare.h"

#include <algorithm>
#include <thread>

#include "fabric/build.h"
#include "sim/collective/network_rates.h"
#include "sim/packet_limits.h"
#include "sim/supported.h"

namespace railyard {

namespace {

constexpr std::uint32_t kLargestExact = 1024;  // paths of ranks: more, and completions are merged

}  // namespace

FlowOptions flow_options(const Scenario& scenario, std::uint32_t ranks) {
  const EnginePlan& engine = scenario.engine;
  const bool few = std::uint64_t{ranks} * scenario.routing.qps_per_connection <= kLargestExact;
  FlowOptions options{.exact = engine.mode == EngineMode::exact || (engine.mode == EngineMode::automatic && few),
                      .quantum = engine.quantum,
                      .cache = engine.cache,
                      .efficiency = engine.efficiency};
  if (const auto limit = scenario.transport.qp_rate_limit) options.cap = *limit * scenario.routing.qps_per_connection;
  if (const auto window = scenario.transport.window)
    options.window = *window * (scenario.routing.qp_use == QpUse::split ? scenario.routing.qps_per_connection : 1);
  return options;
}

unsigned threads_of(const RunOptions& options) {
  return options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

WireFormat wire_format(const TransportPlan& transport) {
  return {.mtu = transport.mtu, .header = transport.header, .message_header = transport.message_header};
}

void match_to_demand(const Scenario& scenario, const Placement& placement, Fabric& fabric) {
  if (!scenario.workload.collective || !follow_demand(scenario.fabric.circuits) || fabric.pods.size() < 2) return;
  const bool all = scenario.workload.collective->kind == CollectiveKind::all_to_all;
  PodDemand demand(fabric.pods.size(), std::vector<double>(fabric.pods.size(), 0));
  const auto pod = [&](EndpointId endpoint) {
    const auto found = std::find(fabric.pods.begin(), fabric.pods.end(), fabric.pod_of(endpoint));
    return static_cast<std::size_t>(found - fabric.pods.begin());
  };
  for (const NetEdge& edge : net_edges(all ? NetPattern::all_to_all : NetPattern::ring, nodes_of(fabric, placement)))
    demand[pod(edge.from)][pod(edge.to)] += edge.share;
  match_circuits(fabric, scenario.fabric, demand);
}

Result<PreparedRun> prepare(const Scenario& scenario, Fabric fabric, std::uint32_t ranks) {
  Result<Placement> placement = place(scenario.placement, ranks, fabric, scenario.keys);
  if (!placement) return placement.error();
  PreparedRun prepared{.run = {.training = {},
                               .network = {},
                               .fabric = std::move(fabric),
                               .placement = std::move(*placement),
                               .wire = wire_format(scenario.transport),
                               .routing = path_policy_of(scenario.routing),
                               .collectives = {},
                               .diagnostics = {},
                               .fingerprint = {}},
                       .failures = {}};
  Run& run = prepared.run;
  run.diagnostics = without_effect(scenario, run.fabric);
  match_to_demand(scenario, run.placement, run.fabric);
  Result<std::vector<PortChange>> failures = port_changes(scenario.failures, run.fabric);
  if (!failures) return failures.error();
  prepared.failures = std::move(*failures);
  Result<StaticRoutes> routes = static_routes(scenario.routing.fixed, run.fabric);
  if (!routes) return routes.error();
  run.routing.fixed = std::move(*routes);
  if (scenario.engine.fidelity != Fidelity::packet) return prepared;
  for (const auto& refuse : {no_such_devices, no_lookahead, no_shared_buffer, no_room_for_cells, too_many_ports})
    if (Diagnostics refused = refuse(scenario, run.fabric); !refused.empty()) return refused;
  return prepared;
}

}  // namespace railyard
