#include "cli/exports.h"

#include <iostream>

#include "export/gzip.h"
#include "export/run_timeline.h"

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
  const bool keeps = !options_.exports.trace.empty();
  if (!flows_ && !keeps) return;
  run.on_flow = [this, keeps](const FlowRecord& flow) {
    if (flows_) flows_->write(flow);
    if (keeps) transfers_.add(flow);
  };
}

bool Exports::finish_recorded() { return !flows_ || options_.outputs->finish("--flows"); }

bool Exports::write_trace(const FinishedRun& finished) {
  if (options_.exports.trace.empty()) return true;
  OutputFile& file = options_.outputs->file("--trace");
  const TextSink plain = [&](std::string_view text) { file.write(text); };
  if (options_.exports.trace.ends_with(".gz")) {
    GzipStream zipped(plain);
    write_timeline(finished.run, finished.results, transfers_, [&](std::string_view text) { zipped.write(text); });
    zipped.finish();
  } else {
    write_timeline(finished.run, finished.results, transfers_, plain);
  }
  return options_.outputs->finish("--trace");
}

bool Exports::write(const FinishedRun& finished) { return write_trace(finished); }

}  // namespace railyard
