#include "sim/traffic/simulate_traffic.h"

#include "fabric/build.h"
#include "sim/late_changes.h"
#include "sim/prepare.h"
#include "sim/remarks.h"
#include "sim/team_parts.h"
#include "sim/traffic/traffic.h"

namespace railyard {

Result<Run> simulate_traffic(const Scenario& scenario, const RunOptions& options, Progress& progress, TeamPost* team) {
  Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
  if (!fabric) return fabric.error();
  if (Diagnostics impossible = impossible_hosts(scenario, *fabric); !impossible.empty()) return impossible;
  const std::uint32_t hosts = traffic_hosts_needed(scenario, *fabric);
  Result<PreparedRun> prepared = prepare(scenario, std::move(*fabric), hosts);
  if (!prepared) return prepared.error();
  Run& run = prepared->run;
  const Diagnostics warnings = pointless(scenario, run.fabric, run.placement, prepared->failures, nullptr);
  run.diagnostics.insert(run.diagnostics.end(), warnings.begin(), warnings.end());
  Network network{run.fabric, run.wire, run.routing};
  network.failures = prepared->failures;
  network.on_flow = options.on_flow;
  if (scenario.engine.fidelity == Fidelity::flow) network.flow = flow_options(scenario, hosts);
  if (scenario.engine.fidelity == Fidelity::packet) {
    network.packet = &scenario.packet;
    network.packet_options = {.threads = threads_of(options), .all_posted = true, .watched = &progress, .tap = options.tap};
  }
  if (options.dry) {
    if (Diagnostics refused = refused_traffic(scenario, network, run.placement, options.memory); !refused.empty())
      return refused;
    return std::move(run);
  }
  Result<TrafficRun> played = run_traffic(scenario, network, run.placement, options.memory, progress, team);
  if (!played) return played.error();
  run.traffic = std::move(*played);
  const Diagnostics stuck = undelivered(scenario, run.fabric, *run.traffic);
  run.diagnostics.insert(run.diagnostics.end(), stuck.begin(), stuck.end());
  const Diagnostics merged = late_changes(scenario, "traffic", run.traffic->telemetry.solving.late);
  run.diagnostics.insert(run.diagnostics.end(), merged.begin(), merged.end());
  run.fingerprint = run.traffic->telemetry.fingerprint.text();
  return std::move(run);
}

}  // namespace railyard
