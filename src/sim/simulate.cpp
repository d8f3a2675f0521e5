#include "sim/simulate.h"

#include "sim/collective/simulate_collective.h"
#include "sim/step/simulate_step.h"
#include "sim/supported.h"
#include "sim/traffic/simulate_traffic.h"

namespace railyard {

Result<Run> simulate(const Scenario& scenario, const RunOptions& options, Progress& progress) {
  if (Diagnostics refused = unsupported(scenario); !refused.empty()) return refused;
  if (scenario.workload.model) return simulate_step(scenario, options, progress);
  if (scenario.workload.traffic) return simulate_traffic(scenario, options, progress);
  return simulate_collective(scenario, options, progress);
}

}  // namespace railyard
