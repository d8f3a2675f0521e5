#include "cli/exports.h"

#include <iostream>

namespace railyard {

bool Exports::open_flows(const Scenario& scenario) {
  if (options_.flows.empty()) return true;
  if (scenario.engine.fidelity == Fidelity::analytic || scenario.workload.library) {
    std::cerr << "railyard: --flows needs "
              << (scenario.workload.library ? "a run without a library; --set collective.library=none"
                                            : "flows or packets; --set engine.fidelity=flow")
              << '\n';
    return false;
  }
  flows_.emplace(options_.outputs->file("--flows"));
  return true;
}

bool Exports::open(const Scenario& scenario) { return open_flows(scenario); }

void Exports::listen(RunOptions& run) {
  if (flows_) run.on_flow = [this](const FlowRecord& flow) { flows_->write(flow); };
}

bool Exports::finish_recorded() { return !flows_ || options_.outputs->finish("--flows"); }

bool Exports::write(const FinishedRun&) { return true; }

}  // namespace railyard
