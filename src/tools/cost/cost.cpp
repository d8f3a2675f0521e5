#include "tools/cost/cost.h"

#include <fmt/format.h>

#include "analysis/results.h"
#include "answer/advice.h"
#include "base/parallel.h"
#include "base/quantity_text.h"
#include "fabric/build.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

std::vector<Input> assumptions_of(const Scenario& scenario, const ClusterCost& cluster) {
  std::vector<Input> inputs;
  const auto add = [&](const char* key, std::string value, Origin origin) {
    if (scenario.keys.given(key)) origin = {Status::given, "scenario"};
    inputs.push_back({key, std::move(value), std::move(origin)});
  };
  add("cost.years", fmt::format("{:g}", scenario.cost.years), {Status::assumed, "a common time to write servers off"});
  add("cost.utilisation", fmt::format("{:g}", scenario.cost.utilisation),
      {Status::assumed, "Llama 3 reports more than 90 % of effective training time"});
  add("cost.pue", fmt::format("{:g}", scenario.cost.pue),
      {Status::estimated, "SemiAnalysis, quoted by NADDOD: 1.59 TWh a year for 150 MW of 100,000 H100"});
  if (cluster.electricity)
    add("prices.electricity", fmt::format("{:g} USD per MWh", cluster.electricity->usd), cluster.electricity->origin);
  return inputs;
}

/// One link of a NIC at half its rate; one uplink of a leaf lost.
std::vector<Trial> link_trials(const Scenario& scenario, const Fabric& fabric) {
  std::vector<Trial> trials = {{.kind = "as it is", .change = {}, .set = {}}};
  const auto half = scenario.fabric.link_rate.count() / 2'000'000;
  trials.push_back({.kind = "one link of a NIC at half its rate",
                    .change = {},
                    .set = {fmt::format("failures.\"gpu 0 port 0\"={{ rate = \"{} Mb/s\" }}", half)}});
  if (fabric.count(NodeKind::spine) > 0)
    trials.push_back({.kind = "one link from a leaf up lost", .change = {}, .set = {"failures.\"leaf 0 uplink 0\"=\"down\""}});
  for (Trial& trial : trials)
    if (scenario.engine.fidelity == Fidelity::analytic) trial.set.insert(trial.set.begin(), "engine.fidelity=\"flow\"");
  return trials;
}

void try_links(const Scenario& scenario, const Fabric& fabric, const CostQuestion& asked, const Catalog& catalog,
               unsigned threads, Progress& progress, CostedStep& step) {
  std::vector<Trial> trials = link_trials(scenario, fabric);
  progress.expect(trials.size() * kPartWork);
  for_each_index(trials.size(), threads, [&](std::size_t i) {
    Progress part(progress, kPartWork, trials[i].kind);
    try_out(asked.question, catalog, trials[i], part);
  });
  if (trials.front().step_s <= 0) {
    step.why_no_links = trials.front().refused;
    return;
  }
  step.carried_s = trials.front().step_s;
  step.links.assign(trials.begin() + 1, trials.end());
}

/// Why slow and lost links are not run; empty where they are.
std::string why_no_links(const Scenario& scenario, const Results& results, const Fabric& fabric, const CostQuestion& asked) {
  if (asked.no_links) return "--no-links leaves them out";
  if (asked.question.name == "-") return "a scenario from standard input cannot be read twice";
  if (fabric.drawn) return "the network is drawn by hand; railyard faults lets its links fail";
  if (asked.links) return {};
  constexpr std::uint32_t kFewGpus = 1024;
  if (scenario.engine.fidelity == Fidelity::analytic && fabric.endpoints() > kFewGpus)
    return "closed forms see no links, and flows of so many GPUs take long; --links runs them";
  return is_quick_to_repeat(results) ? std::string() : "a run takes too long for it; --links runs them";
}

}  // namespace

Result<CostAnswer> find_cost(const Scenario& scenario, const CostQuestion& asked, const Catalog& catalog, unsigned threads,
                             Progress& progress) {
  const Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
  if (!fabric) return fabric.error();
  CostAnswer out{.name = scenario.name,
                 .cluster = cluster_cost(scenario, *fabric, catalog),
                 .plan = scenario.cost,
                 .assumptions = {},
                 .running = {},
                 .step = {}};
  out.assumptions = assumptions_of(scenario, out.cluster);
  out.running = running_cost(out.cluster, out.plan);
  if (!scenario.workload.model || scenario.workload.serving) return out;

  progress.expect(kPartWork);
  const Result<Run> run = [&] {
    Progress part(progress, kPartWork);
    return simulate(scenario, {.threads = threads}, part);
  }();
  if (!run) return run.error();
  const Results results = analyse(scenario, *run);
  if (has_errors(results.diagnostics)) return results.diagnostics;
  CostedStep step{.step_s = results.step->step_time_s,
                  .tokens_per_s = results.step->tokens_per_s_per_gpu * results.ranks,
                  .without_network_s = results.step->cost.without_network,
                  .without_links_s = results.step->cost.without_links};
  step.why_no_links = why_no_links(scenario, results, *fabric, asked);
  if (step.why_no_links.empty()) try_links(scenario, *fabric, asked, catalog, threads, progress, step);
  out.million_tokens = cost_of_million_tokens(out.running, out.plan, step.tokens_per_s);
  out.step = std::move(step);
  return out;
}

}  // namespace railyard
