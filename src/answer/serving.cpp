#include "answer/serving.h"

#include <fmt/format.h>

#include "base/fingerprint.h"
#include "sim/supported.h"

namespace railyard {

namespace {

std::string fingerprint_of_passes(const ServingRun& run) {
  Fingerprint all;
  for (const Picoseconds time : {run.prefill.time(), run.decode.time(), run.transfer})
    all.add(static_cast<std::uint64_t>(time.count()));
  return all.text();
}

}  // namespace

Result<ServingAnswer> find_serving(const Scenario& scenario, unsigned threads, Progress& progress) {
  Result<ServingRun> run = run_serving(scenario);
  if (!run) return run.error();
  ServingAnswer out{.name = scenario.name,
                    .fidelity = scenario.engine.fidelity,
                    .serving = *scenario.workload.serving,
                    .per_node = scenario.fabric.per_node,
                    .run = std::move(*run),
                    .load = {},
                    .parts = {},
                    .inputs = scenario.inputs,
                    .findings = scenario.warnings,
                    .fingerprint = {}};
  out.fingerprint = fingerprint_of_passes(out.run);
  if (scenario.engine.fidelity == Fidelity::analytic) {
    progress.finish();
    return out;
  }
  Result<Interference> parts = find_interference(serving_alone(scenario), {.threads = threads}, progress);
  if (!parts) return parts.error();
  out.load = parts->served.front();
  out.findings = parts->findings;
  out.fingerprint = parts->fingerprint;
  out.parts = std::move(*parts);
  return out;
}

JobRemarks remarks_on_serving(const Scenario& scenario) {
  if (scenario.engine.fidelity != Fidelity::analytic) return remarks_on_jobs(serving_alone(scenario));
  const Result<ServingRun> run = run_serving(scenario);
  if (!run) return {run.error(), {}};
  return {{}, scenario.warnings};
}

}  // namespace railyard
