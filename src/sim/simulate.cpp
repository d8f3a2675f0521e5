#include "sim/simulate.h"

#include "sim/collective/simulate_collective.h"
#include "sim/step/simulate_step.h"
#include "sim/supported.h"
#include "sim/trace/simulate_trace.h"
#include "sim/traffic/simulate_traffic.h"

namespace railyard {

namespace {

Result<Run> simulate_workload(const Scenario& scenario, const RunOptions& options, Progress& progress) {
  if (scenario.workload.model) return simulate_step(scenario, options, progress);
  if (scenario.workload.traffic) return simulate_traffic(scenario, options, progress);
  if (scenario.workload.trace) return simulate_trace(scenario, options, progress);
  return simulate_collective(scenario, options, progress);
}

}  // namespace

Result<Run> simulate(const Scenario& scenario, const RunOptions& options, Progress& progress) {
  if (Diagnostics refused = unsupported(scenario); !refused.empty()) return refused;
  Result<Run> run = simulate_workload(scenario, options, progress);
  if (run) progress.finish();
  return run;
}

Remarks remarks_on(const Scenario& scenario, const RunOptions& options) {
  RunOptions dry = options;
  dry.dry = true;
  Progress unseen;
  const Result<Run> run = simulate(scenario, dry, unseen);
  if (!run) return {run.error(), {}};
  return {{}, run->diagnostics};
}

}  // namespace railyard
