#include "answer/trial.h"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::optional<double> outcome_s(const Run& run) {
  if (has_errors(run.diagnostics)) return std::nullopt;
  if (run.training) return seconds(run.training->time);
  if (!run.collectives.empty()) return seconds(run.collectives.back().time);
  if (!run.traffic) return std::nullopt;
  const std::vector<Picoseconds>& delivered = run.traffic->delivered;
  if (delivered.empty()) return std::nullopt;
  return seconds(*std::max_element(delivered.begin(), delivered.end()));
}

void try_out(const Question& question, const Catalog& catalog, Trial& trial, Progress& progress) {
  const std::vector<std::string> all = joined(question.overrides, trial.set);
  trial.command = run_command_text(question.name, all);
  const Result<Scenario> scenario = load_named_scenario(question.name, catalog, all);
  const Result<Run> run = scenario ? simulate(*scenario, {.threads = 1}, progress) : Result<Run>(scenario.error());
  if (!run) {
    trial.refused = run.error().front().message;
    return;
  }
  trial.refused = too_large(*scenario, *run);
  if (!trial.refused.empty()) return;
  if (const std::optional<double> time = outcome_s(*run))
    trial.step_s = *time;
  else
    trial.refused = "some of it never ends";
}

}  // namespace railyard
