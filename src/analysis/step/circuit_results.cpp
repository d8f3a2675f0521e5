#include "analysis/step/circuit_results.h"

namespace railyard {

CircuitResults analyse_circuits(const StepRun& run) {
  constexpr const char* kNames[] = {"passes", "gradients and parameters"};
  const CircuitRun& circuits = *run.circuits;
  CircuitResults r{.reconfiguration_s = seconds(circuits.reconfiguration),
                   .changes = circuits.changes,
                   .moved = circuits.moved,
                   .all = circuits.all,
                   .dark_s = seconds(circuits.reconfiguration * std::int64_t{circuits.changes}),
                   .fixed_s = seconds(circuits.fixed),
                   .instant_s = seconds(circuits.instant),
                   .cost_s = seconds(run.time - circuits.instant),
                   .gain_s = seconds(circuits.fixed - run.time),
                   .phases = {}};
  for (std::size_t i = 0; i < circuits.phases.size(); i++) {
    const CircuitRun::Phase& phase = circuits.phases[i];
    r.phases.push_back({kNames[i], phase.sent, phase.crossed, phase.fixed});
  }
  return r;
}

}  // namespace railyard
