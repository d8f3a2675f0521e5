#include "scenario/resolve/resolve.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/effects.h"
#include "scenario/resolve/control_remarks.h"
#include "scenario/resolve/resolve_efficiency.h"
#include "scenario/resolve/resolve_fabric.h"
#include "scenario/resolve/resolve_forwarding.h"
#include "scenario/resolve/resolve_gpu.h"
#include "scenario/resolve/resolve_job.h"
#include "scenario/resolve/resolve_model.h"
#include "scenario/resolve/resolve_packets.h"
#include "scenario/resolve/resolve_reliability.h"
#include "scenario/resolve/resolve_serving.h"
#include "scenario/resolve/resolve_transport.h"

namespace railyard {

namespace {

WorkloadPlan workload_of(const ScenarioSpec& spec) {
  return {.model = {},
          .serving = {},
          .pass = {},
          .training = spec.training,
          .parallel = {},
          .slice = spec.slice,
          .jitter = spec.jitter,
          .traffic = spec.traffic,
          .trace = spec.trace,
          .collective = spec.collective,
          .gpus = spec.cluster.gpus,
          .gpu_model = spec.cluster.gpu,
          .gpu = {},
          .library = {},
          .host = spec.host,
          .seed = spec.engine.seed};
}

EnginePlan engine_of(const EngineSpec& spec) {
  return {.fidelity = spec.fidelity,
          .seed = spec.seed,
          .mode = spec.mode,
          .quantum = spec.quantum,
          .cache = spec.cache,
          .efficiency = spec.efficiency.value_or(1),
          .limit = spec.limit};
}

/// What the scenario says of its own figures, in the list of inputs.
void claim_origins(const ScenarioSpec& spec, Scenario& out, Complaints& complaints) {
  for (const auto& [path, claim] : spec.origins) {
    const auto key = spec.keys.by_path.find(path);
    if (key == spec.keys.by_path.end()) {
      complaints.error("RY-SCN-071", claim.where, fmt::format("[origins] names '{}', a key that is not set", path),
                       "correct the path, or remove the line");
      continue;
    }
    if (key->second.where.file != claim.where.file) continue;  // overridden by another file or by --set
    const auto input =
        std::find_if(out.inputs.begin(), out.inputs.end(), [&name = path](const Input& i) { return i.key == name; });
    if (input != out.inputs.end())
      input->origin = claim.origin;
    else
      out.inputs.push_back({path, key->second.value, claim.origin});
  }
}

/// A pipeline of one chunk per stage has nothing to interleave.
Diagnostic schedule_without_chunks(const ScenarioSpec& spec) {
  return {Severity::warning, "RY-RUN-020", "schedule = \"interleaved\" acts as \"1f1b\": every stage has one model chunk",
          "give virtual_pipeline > 1, or write schedule = \"1f1b\"", spec.where("parallel.schedule")};
}

}  // namespace

Scenario resolve(const ScenarioSpec& spec, const Catalog& catalog, Complaints& complaints) {
  Scenario out;
  out.name = spec.name;
  out.keys = spec.keys;
  out.workload = workload_of(spec);
  out.engine = engine_of(spec.engine);
  out.placement = {.policy = spec.placement.policy,
                   .seats = spec.placement.seats,
                   .seed = spec.engine.seed,
                   .lost_servers = spec.placement.lost_servers};
  out.failures = spec.failures;
  out.prices = spec.prices;
  out.cost = spec.cost;
  out.job = resolve_job(spec, complaints);
  resolve_fabric(spec, catalog, out, complaints);
  if (spec.model) {
    resolve_gpu(spec, catalog, out, complaints);
    resolve_model(spec, catalog, out);
    if (spec.serving) resolve_serving(spec, catalog, out);
  }
  if (spec.reliability) resolve_reliability(spec, catalog, out);
  if (spec.collective) resolve_library(spec, catalog, out, complaints);
  resolve_transport(spec, catalog, out);
  resolve_forwarding(spec, out, complaints);
  resolve_efficiency(spec, catalog, out);
  if (spec.engine.fidelity == Fidelity::packet) resolve_packets(spec, catalog, out, complaints);
  claim_origins(spec, out, complaints);
  if (complaints.found().empty()) {
    out.warnings = keys_without_effect(out);
    if (spec.engine.fidelity == Fidelity::packet)
      for (Diagnostic& remark : control_remarks(spec, out)) out.warnings.push_back(std::move(remark));
    if (spec.model && !spec.serving && spec.parallel.schedule != out.workload.parallel.schedule &&
        spec.given("parallel.schedule"))
      out.warnings.push_back(schedule_without_chunks(spec));
  }
  return out;
}

}  // namespace railyard
