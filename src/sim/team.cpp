#include "sim/team.h"

#include <fmt/format.h>

#include <string>

#include "base/quantity_text.h"
#include "sim/step/simulate_step.h"
#include "sim/supported.h"
#include "sim/traffic/simulate_traffic.h"

namespace railyard {

Diagnostics not_over_processes(const Scenario& scenario) {
  const auto refused = [&](const std::string& what, const std::string& hint, const char* key) {
    return Diagnostics{
        {Severity::error, "RY-RUN-089", "several processes do not play " + what, hint, scenario.keys.where(key)}};
  };
  const std::string alone = "run it without mpirun: it uses all cores of a machine";
  if (scenario.workload.serving) return refused("serving", alone, "serving");
  if (scenario.engine.fidelity != Fidelity::packet)
    return refused(fmt::format("fidelity \"{}\"", name_of(scenario.engine.fidelity)), alone + "; or set fidelity = \"packet\"",
                   "engine.fidelity");
  if (scenario.workload.slice) return refused("a slice of a step", alone, "slice");
  if (scenario.workload.trace) return refused("a trace", alone, "trace");
  if (scenario.workload.collective) return refused("[collective]", alone, "collective");
  if (!scenario.failures.empty()) return refused("failures", alone, "failures");
  if (scenario.fabric.switching == Switching::scheduled) return refused("a scheduled fabric", alone, "fabric.switching");
  if (scenario.packet.device == EngineDevice::cuda || scenario.packet.device == EngineDevice::emulated)
    return refused("packets on GPUs", "set engine.device = \"cpu\"", "engine.device");
  return {};
}

Result<Run> simulate_together(const Scenario& scenario, const RunOptions& options, TeamPost& team, Progress& progress) {
  if (Diagnostics refused = unsupported(scenario); !refused.empty()) return refused;
  Result<Run> run = scenario.workload.model ? simulate_step(scenario, options, progress, &team)
                                            : simulate_traffic(scenario, options, progress, &team);
  if (run) progress.finish();
  return run;
}

}  // namespace railyard
