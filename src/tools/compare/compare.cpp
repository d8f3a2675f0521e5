#include "tools/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>

#include "analysis/results.h"
#include "base/parallel.h"
#include "fabric/build.h"
#include "report/command_text.h"
#include "report/results_report.h"
#include "scenario/presets.h"
#include "sim/simulate.h"
#include "tools/compare/advice.h"
#include "tools/compare/conclusion.h"
#include "tools/compare/congestion.h"
#include "tools/compare/document_figures.h"
#include "tools/compare/latency.h"
#include "tools/compare/reduction.h"
#include "tools/compare/transports.h"
#include "tools/compare/trials.h"

namespace railyard {

namespace {

using Clock = std::chrono::steady_clock;

/// "llama3" for the preset and for scenarios/llama3.toml.
std::string id_of(const std::string& name) { return std::filesystem::path(name).stem().string(); }

Diagnostics no_step(const std::string& path) {
  return {{Severity::error, "RY-CMP-002", "compare needs training steps, and this scenario has no [model]",
           "name scenarios with a [model]; use railyard run for this one", SourceSpan{path, 0, 0}}};
}

/// Nothing where no network is described, or none that can be wired.
std::optional<ClusterCost> cost_of(const Scenario& scenario, const Catalog& catalog) {
  if (!scenario.keys.given("fabric.topology")) return std::nullopt;
  const Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
  return fabric ? std::optional(cluster_cost(scenario, *fabric, catalog)) : std::nullopt;
}

/// One scenario as asked for, without what is tried with it.
Result<ComparedRun> base_run(const std::string& name, const std::vector<std::string>& overrides, const Catalog& catalog,
                             Progress& progress) {
  const std::string path = scenario_path(name);
  const ScenarioText text;
  Result<Scenario> scenario = load_named_scenario(name, catalog, overrides, {}, &text);
  if (!scenario) return scenario.error();
  if (!scenario->workload.model) return no_step(path);
  const Result<Run> run = simulate(*scenario, {.threads = 1}, progress);
  if (!run) return run.error();
  const std::string id = id_of(name);
  Results analysed = analyse(*scenario, *run);
  Document results = results_document(analysed, 0);
  return ComparedRun{.id = id,
                     .label = label_of(id),
                     .path = path,
                     .text = text.text(),
                     .command = run_command_text(name, overrides),
                     .scenario = *scenario,
                     .analysed = std::move(analysed),
                     .results = std::move(results),
                     .latency = run->network ? message_latency(*run) : MessageLatency{},
                     .trials = {},
                     .slices = {},
                     .reduction = {},
                     .cost = cost_of(*scenario, catalog)};
}

/// REQUIRES: `runs` are those of `scenarios`, in their order.
void tell_apart(const std::vector<std::string>& scenarios, std::vector<ComparedRun>& runs) {
  const std::vector<std::string> ids = run_ids(scenarios);
  for (std::size_t i = 0; i < runs.size(); i++) {
    ComparedRun& run = runs[i];
    if (ids[i] != run.id) run.label = fmt::format("{} ({})", run.label, ids[i].substr(run.id.size() + 1));
    run.id = ids[i];
  }
}

/// `took`: how long each of them ran here, to tell what others of its kind will take.
Result<std::vector<ComparedRun>> base_runs(const CompareRequest& request, const std::vector<std::string>& overrides,
                                           const Catalog& catalog, Progress& progress, std::vector<Clock::duration>& took) {
  std::vector<std::optional<Result<ComparedRun>>> slots(request.scenarios.size());
  took.resize(slots.size());
  progress.expect(slots.size() * kPartWork);
  for_each_index(slots.size(), request.threads, [&](std::size_t i) {
    const Clock::time_point start = Clock::now();
    Progress part(progress, kPartWork, label_of(id_of(request.scenarios[i])));
    slots[i] = base_run(request.scenarios[i], overrides, catalog, part);
    took[i] = Clock::now() - start;
  });
  Diagnostics errors;
  std::vector<ComparedRun> runs;
  for (std::optional<Result<ComparedRun>>& slot : slots) {
    if (*slot)
      runs.push_back(std::move(**slot));
    else
      errors.insert(errors.end(), slot->error().begin(), slot->error().end());
  }
  if (!errors.empty()) return errors;
  tell_apart(request.scenarios, runs);
  return runs;
}

/// Whether switches that add up gradients can be bought: those of InfiniBand (SHARP); no Ethernet switch of the catalog is
/// known to reduce.
bool can_reduce(const Scenario& scenario) { return scenario.transport.kind == TransportKind::infiniband; }

/// Something that is tried, what it is called, and about how long it takes, for whoever watches.
struct Job {
  std::function<void(Progress&)> work;
  std::string name;
  std::uint64_t weight;
};

/// Everything that is tried with each run, to be done in any order. Slices take longest and come first.
std::vector<Job> jobs_of(const CompareRequest& request, const std::vector<std::string>& overrides, const Catalog& catalog,
                         const std::vector<Clock::duration>& took, std::vector<ComparedRun>& runs) {
  constexpr std::uint64_t kSlice = 4;  // of a step's time
  std::vector<Job> slices, others;
  for (std::size_t i = 0; i < runs.size(); i++) {
    const auto usual = 1 + static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took[i]).count());
    const std::string& name = request.scenarios[i];
    ComparedRun& run = runs[i];
    run.trials = trials_for(run.scenario, catalog);
    for (Trial& trial : more_transports(run.scenario)) run.trials.push_back(std::move(trial));
    run.slices = slices_for(run.scenario);
    for (SliceTrial& trial : run.slices)
      slices.push_back({[&name, &overrides, &catalog, &trial](Progress& p) { try_slice(name, overrides, catalog, trial, p); },
                        fmt::format("{}: packets, {}", run.label, trial.kind), kSlice * usual});
    for (Trial& trial : run.trials)
      others.push_back({[&name, &overrides, &catalog, &trial](Progress& p) {
                          try_out({name, overrides}, catalog, trial, p);
                        },
                        fmt::format("{}: {}", run.label, trial.kind), usual});
    if (can_reduce(run.scenario))
      others.push_back({[&name, &overrides, &catalog, &run](Progress&) {
                          run.reduction = try_reduction(name, overrides, run.scenario, catalog);
                        },
                        fmt::format("{}: in-network reduction", run.label), usual});
  }
  slices.insert(slices.end(), others.begin(), others.end());
  return slices;
}

/// Each run with its verdict, and what all of them come to.
Compared concluded(std::vector<ComparedRun> runs, std::vector<Advice> advice) {
  for (ComparedRun& run : runs) {
    Tried tried{.advice = {}, .tried = !run.trials.empty()};
    for (const Advice& a : advice)
      if (a.run == run.id) tried.advice.push_back(a);
    run.verdict = verdict_on(run.scenario, run.analysed, tried);
    run.results.set("verdict", verdict_document(run.verdict));
  }
  std::vector<Sentence> sentences = comparison_sentences(runs);
  return Compared{std::move(runs), std::move(advice), std::move(sentences)};
}

}  // namespace

std::vector<std::string> run_ids(const std::vector<std::string>& scenarios) {
  std::set<std::string> taken;
  std::vector<std::string> ids;
  for (const std::string& name : scenarios) {
    std::string id = id_of(name);
    for (int i = 2; !taken.insert(id).second; i++) id = fmt::format("{}-{}", id_of(name), i);
    ids.push_back(id);
  }
  return ids;
}

std::vector<std::string> default_comparison() { return {"gpt4", "llama3", "deepseek-v2", "grok4", "mi300x-llama3"}; }

Result<Compared> compare(const CompareRequest& request, const Catalog& catalog, Progress& progress) {
  std::vector<std::string> overrides = request.overrides;
  if (request.fidelity) overrides.push_back("engine.fidelity=" + *request.fidelity);
  constexpr std::uint64_t kTrials = 10;  // take so much more than the runs themselves
  progress.expect((1 + (request.trials ? kTrials : 0)) * kPartWork);
  std::vector<Clock::duration> took;
  Result<std::vector<ComparedRun>> runs = [&] {
    Progress part(progress, kPartWork);
    return base_runs(request, overrides, catalog, part, took);
  }();
  if (!runs) return runs.error();
  if (!request.trials) return concluded(std::move(*runs), {});

  const std::vector<Job> jobs = jobs_of(request, overrides, catalog, took, *runs);
  Progress trials(progress, kTrials * kPartWork);
  for (const Job& job : jobs) trials.expect(job.weight);
  for_each_index(jobs.size(), request.threads, [&](std::size_t i) {
    Progress part(trials, jobs[i].weight, jobs[i].name);
    jobs[i].work(part);
  });
  std::vector<Advice> advice = ranked_advice(*runs);
  return concluded(std::move(*runs), std::move(advice));
}

}  // namespace railyard
