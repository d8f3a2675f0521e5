#include "tools/plan/network_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "answer/cluster_cost.h"
#include "answer/trial.h"
#include "fabric/build.h"
#include "scenario/presets.h"
#include "sim/simulate.h"
#include "sim/step/step_run.h"
#include "tools/plan/network_space.h"
#include "workload/step.h"

namespace railyard {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// What a network by itself has no use for: the job's arithmetic must not refuse more GPUs.
std::vector<std::string> without_job(const Scenario& scenario) {
  std::vector<std::string> out;
  for (const char* const section : {"model", "training", "parallel", "jitter", "reliability", "engine"})
    if (scenario.keys.given(section)) out.push_back(std::string(section) + "=");
  return out;
}

/// Ports of its largest switch, at the rate of the links.
double radix_of(const Scenario& scenario) { return scenario.fabric.radix ? static_cast<double>(*scenario.fabric.radix) : 0; }

Result<double> step_over_flows(const Scenario& scenario) {
  Progress unseen;
  const Result<Run> run = simulate(scenario, {.threads = 1, .brief = true}, unseen);
  if (!run) return run.error();
  return seconds(run->training->time);
}

}  // namespace

const std::vector<Measure>& network_measures() {
  static const std::vector<Measure> kAll = {{"step", "s", true},  {"switches", "", true},      {"cables", "", true},
                                            {"optics", "", true}, {"price", "USD", true},      {"unpriced", "", true},
                                            {"power", "W", true}, {"unknown power", "", true}, {"longest cable", "m", true},
                                            {"radix", "", true},  {"10⁶ tokens", "USD", true}, {"unpriced tokens", "", true}};
  return kAll;
}

Networks::Networks(const PlanQuestion& question, const Scenario& scenario, const Space& space, const Catalog& catalog)
    : question_(question),
      space_(space),
      catalog_(catalog),
      without_network_(without_network(scenario)),
      without_job_(without_job(scenario)),
      tokens_(static_cast<double>(*scenario.workload.training.global_batch) * scenario.workload.model->sequence) {}

std::vector<std::string> Networks::overrides(PointId point) const {
  return joined(joined(question_.overrides, without_network_), space_.overrides(point));
}

Result<Scenario> Networks::load(const std::vector<std::string>& set, bool workload) const {
  return load_named_scenario(question_.scenario, catalog_, set, {.workload = workload});
}

Outcome Networks::parts_of(const Scenario& scenario) const {
  const Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
  if (!fabric) return {fabric.error().front().message, {}};
  const BillOfMaterials parts = bill_of_materials(scenario, *fabric, catalog_);
  const ClusterCost cost = cluster_cost(scenario, *fabric, parts, catalog_);
  std::vector<double> values(kNetworkFigures, 0);
  values[kSwitches] = static_cast<double>(parts.all_switches());
  values[kCables] = static_cast<double>(parts.all_cables());
  values[kOptics] = static_cast<double>(parts.optical_ends());
  values[kUsd] = cost.network_usd.value, values[kUsdMissing] = cost.network_usd.complete ? 0 : 1;
  values[kWatts] = cost.network_watts.value, values[kWattsMissing] = cost.network_watts.complete ? 0 : 1;
  for (const CableTier& cable : parts.cables)
    values[kReach] = std::max(values[kReach], static_cast<double>(cable.length.count()) / 1000);
  values[kRadix] = radix_of(scenario);
  // Of a million tokens in a step of a second.
  const Sum tokens = cost_of_million_tokens(running_cost(cost, scenario.cost), scenario.cost, 1);
  values[kTokenUsd] = tokens.value, values[kTokenUsdMissing] = tokens.complete ? 0 : 1;
  return {{}, std::move(values)};
}

Outcome Networks::built(const Scenario& scenario) const {
  Outcome outcome = parts_of(scenario);
  if (!outcome.refused.empty()) return outcome;
  const Result<Step> step = build_step(scenario.workload, scenario.keys, false);
  if (!step) return {step.error().front().message, {}};
  outcome.values[kStep] = seconds(run_step(scenario, *step).time);
  return outcome;
}

Outcome Networks::built(PointId point) const {
  const Result<Scenario> scenario = load(joined(overrides(point), {"engine.fidelity=flow"}));
  if (!scenario) return {scenario.error().front().message, {}};
  if (scenario->fabric.topology == Topology::rail_only && scenario->fabric.oversubscription != 1)
    return {"rails alone have nothing above their switches", {}};
  return built(*scenario);
}

Outcome Networks::played(PointId point) const {
  const Result<Scenario> scenario = load(joined(overrides(point), {"engine.fidelity=flow"}));
  if (!scenario) return {scenario.error().front().message, {}};
  const Result<double> step = step_over_flows(*scenario);
  if (!step) return {step.error().front().message, {}};
  std::vector<double> values(kNetworkFigures, 0);
  values[kStep] = *step;
  return {{}, std::move(values)};
}

std::vector<double> Networks::figures_of(const std::vector<double>& built, double step_s) const {
  std::vector<double> values = built;
  values[kStep] = step_s;
  values[kTokenUsd] *= step_s / tokens_;
  return values;
}

Outcome Networks::played(const Scenario& scenario) const {
  const Outcome outcome = built(scenario);
  if (!outcome.refused.empty()) return outcome;
  const Result<double> step = step_over_flows(scenario);
  if (!step) return {step.error().front().message, {}};
  return {{}, figures_of(outcome.values, *step)};
}

double Networks::one_down(const std::vector<std::string>& set) const {
  double worst = 0;
  for (const char* const what : {"failures.\"spine 0\"=down", "failures.\"core 0\"=down"}) {
    const Result<Scenario> scenario = load(joined(set, {"engine.fidelity=flow", what}));
    if (!scenario) continue;
    const Result<double> step = step_over_flows(*scenario);
    if (step)
      worst = std::max(worst, *step);
    else if (!step.error().front().code.starts_with("RY-FAB"))  // else it has no such switch
      worst = kNever;
  }
  return worst;
}

Outcome Networks::one_down(PointId point) const {
  const double step = one_down(overrides(point));
  if (step == 0) return {"it has no switch above its leaves", {}};
  std::vector<double> values(kNetworkFigures, 0);
  values[kStep] = step;
  return {{}, std::move(values)};
}

std::vector<std::string> Networks::unpriced(const std::vector<std::string>& set) const {
  std::vector<std::string> out;
  const Result<Scenario> scenario = load(set);
  if (!scenario) return out;
  const Result<Fabric> fabric = build_fabric(scenario->fabric, scenario->keys);
  if (!fabric) return out;
  for (const CostLine& line : cluster_cost(*scenario, *fabric, catalog_).lines)
    if (line.kind != CostKind::server && !line.usd() && std::find(out.begin(), out.end(), line.key) == out.end())
      out.push_back(line.key);
  return out;
}

Outcome Networks::grown(const std::vector<std::string>& set, std::uint32_t gpus) const {
  const Result<Scenario> scenario = load(joined(joined(set, without_job_), {fmt::format("cluster.gpus={}", gpus)}), false);
  if (!scenario) return {scenario.error().front().message, {}};
  return parts_of(*scenario);
}

}  // namespace railyard
