#include "answer/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "analysis/step/step_results.h"
#include "base/quantity_text.h"
#include "report/command_text.h"
#include "scenario/presets.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

/// Why the step does not fit into its GPUs, or nothing.
std::string too_large(const Scenario& scenario, const Run& run) {
  if (!run.training) return {};
  const StepResults step = analyse_step(scenario, *run.training);
  const Bytes needed = step.fullest.memory.total();
  if (needed <= step.memory) return {};
  return fmt::format("stage {} would need {} of the {} that a GPU has", step.fullest.stage, format(needed),
                     format(step.memory));
}

constexpr std::uint64_t kFewDraws = 3, kManyDraws = 7;

/// That a scenario may name.
constexpr std::uint64_t kLargestSeed = (std::uint64_t{1} << 63) - 1;

/// Seconds, or nothing and why.
std::optional<double> rerun_time(const std::string& name, const std::vector<std::string>& overrides, const Catalog& catalog,
                                 Progress& progress, std::string& refused) {
  const Result<Scenario> scenario = load_named_scenario(name, catalog, overrides);
  const Result<Run> run = scenario ? simulate(*scenario, {.threads = 1}, progress) : Result<Run>(scenario.error());
  if (!run) {
    refused = run.error().front().message;
    return std::nullopt;
  }
  refused = too_large(*scenario, *run);
  if (!refused.empty()) return std::nullopt;
  const std::optional<double> time = outcome_s(*run);
  if (!time) refused = "some of it never ends";
  return time;
}

/// Of a key or its value alone, whatever else a scenario says.
bool is_of_one_value(const Diagnostic& one) {
  static constexpr std::string_view kCodes[] = {"RY-SCN-004", "RY-SCN-010", "RY-SCN-011", "RY-SCN-012",
                                                "RY-SCN-013", "RY-SCN-014", "RY-SCN-023"};
  return std::find(std::begin(kCodes), std::end(kCodes), one.code) != std::end(kCodes);
}

}  // namespace

Diagnostics wrong_values(const Question& question, const Catalog& catalog, const std::vector<std::string>& sets,
                         const LoadOptions& options) {
  Diagnostics wrong;
  std::set<std::string> known;  // keys that something was said of
  for (const std::string& set : sets) {
    const std::string key = set.substr(0, set.find('='));
    if (known.contains(key)) continue;
    const Result<Scenario> scenario = load_named_scenario(question.name, catalog, joined(question.overrides, {set}), options);
    if (scenario) continue;
    for (Diagnostic one : scenario.error()) {
      if (!is_of_one_value(one) || one.where.file != "--set " + set) continue;
      one.where = {"--vary " + set, 0, 0};
      known.insert(key);
      wrong.push_back(std::move(one));
    }
  }
  return wrong;
}

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::optional<double> outcome_s(const Run& run) {
  if (has_errors(run.diagnostics)) return std::nullopt;
  if (run.training) return seconds(run.training->time);
  if (!run.collectives.empty()) return seconds(run.collectives.back().time);
  if (run.trace) return seconds(run.trace->makespan);
  if (!run.traffic) return std::nullopt;
  const std::vector<Picoseconds>& delivered = run.traffic->delivered;
  if (delivered.empty()) return std::nullopt;
  return seconds(*std::max_element(delivered.begin(), delivered.end()));
}

std::vector<std::uint64_t> seeds_for(const Scenario& s, bool is_small) {
  const bool hashes = s.routing.policy == RoutingPolicy::ecmp || s.routing.policy == RoutingPolicy::enhanced_ecmp;
  if (!hashes || s.fabric.topology == Topology::star) return {};
  if (s.workload.model && s.engine.fidelity == Fidelity::analytic) return {};
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t i = 0; i < (is_small ? kManyDraws : kFewDraws); i++) seeds.push_back((s.engine.seed + i) & kLargestSeed);
  return seeds;
}

void try_out(const Question& question, const Catalog& catalog, Trial& trial, Progress& progress) {
  const std::vector<std::string> all = joined(question.overrides, trial.set);
  if (trial.of == ChangeOf::hardware || trial.of == ChangeOf::less_hardware)
    if (const Result<Scenario> scenario = load_named_scenario(question.name, catalog, all))
      trial.hardware = hardware_of(*scenario, catalog);
  trial.command = run_command_text(question.name, all);
  if (question.seeds.empty()) {
    if (const std::optional<double> time = rerun_time(question.name, all, catalog, progress, trial.refused))
      trial.step_s = *time, trial.draws = {*time, *time};
    return;
  }
  double sum = 0;
  progress.expect(question.seeds.size() * kPartWork);
  for (const std::uint64_t seed : question.seeds) {
    Progress draw(progress, kPartWork, "");
    const std::optional<double> time =
        rerun_time(question.name, joined(all, {fmt::format("engine.seed={}", seed)}), catalog, draw, trial.refused);
    if (!time) return;
    trial.draws = {sum == 0 ? *time : std::min(trial.draws.least, *time), std::max(trial.draws.most, *time)};
    sum += *time;
  }
  trial.step_s = sum / static_cast<double>(question.seeds.size());
}

}  // namespace railyard
