#include "tools/plan/network_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "answer/trial.h"
#include "base/quantity_text.h"
#include "report/command_text.h"
#include "scenario/presets.h"
#include "tools/plan/network_figures.h"
#include "tools/plan/network_limits.h"
#include "tools/plan/network_search.h"
#include "tools/plan/network_space.h"

namespace railyard {

namespace {

Diagnostic refusal_of(const char* code, std::string message, std::string hint, SourceSpan where = {}) {
  return {Severity::error, code, std::move(message), std::move(hint), std::move(where)};
}

NetworkRow row_of_network(const std::vector<double>& v, std::vector<std::string> values, std::vector<std::string> set,
                          const PlanQuestion& question) {
  NetworkRow row;
  row.values = std::move(values);
  row.step_s = v[kStep];
  row.switches = v[kSwitches], row.cables = v[kCables], row.optics = v[kOptics];
  row.network_usd = {v[kUsd], v[kUsdMissing] == 0}, row.network_watts = {v[kWatts], v[kWattsMissing] == 0};
  row.token_usd = {v[kTokenUsd], v[kTokenUsdMissing] == 0};
  row.is_known = is_known(limits_of(question.request), v);
  row.command = run_command_text(question.scenario, set);
  row.set = std::move(set);
  return row;
}

/// What the chosen network takes for more GPUs: the same parts, wired for all of them.
std::string growth_text(const Networks& networks, const NetworkRow& chosen, const PlannedNetwork& plan, std::uint32_t more) {
  if (more == 0) return {};
  const Outcome grown = networks.grown(chosen.set, plan.gpus + more);
  if (!grown.refused.empty()) return fmt::format("It cannot grow by {} GPUs: {}.", format_count(more), grown.refused);
  const std::vector<double>& v = grown.values;
  const Sum usd{v[kUsd] - chosen.network_usd.value, v[kUsdMissing] == 0 && chosen.network_usd.complete};
  return fmt::format("With {} GPUs more it takes {:.0f} switches and {:.0f} cables more, for {}.", format_count(more),
                     v[kSwitches] - chosen.switches, v[kCables] - chosen.cables, dollars_text(usd));
}

/// Why there is no network: the limit that binds, or what stands in the way of most.
Diagnostic why_no_network(const Networks& networks, const Space& space, const std::vector<NetworkLimit>& limits) {
  std::vector<std::vector<double>> built;
  std::map<std::string, std::uint64_t> reasons;
  for (PointId point = 0; point < space.size(); point++) {
    Outcome outcome = networks.built(point);
    if (outcome.refused.empty())
      built.push_back(std::move(outcome.values));
    else
      reasons[outcome.refused]++;
  }
  if (!built.empty() && !limits.empty())
    return refusal_of("RY-PLN-005", "no network is within the limits: " + binding_limit(limits, built),
                      "raise the limit, or ask for fewer GPUs");
  const auto most = std::max_element(reasons.begin(), reasons.end(), [](auto& a, auto& b) { return a.second < b.second; });
  return refusal_of("RY-PLN-007",
                    "no network that the catalog can build carries this job" +
                        (most == reasons.end() ? std::string() : fmt::format(": of most, {}", most->first)),
                    "change the job until railyard run takes it, or ask for fewer GPUs");
}

Diagnostics refused_wish(const PlanQuestion& question, const Scenario& scenario) {
  if (question.scenario == "-")
    return {refusal_of("RY-PLN-001", "a plan reads its scenario many times, and standard input comes once",
                       "name a file or a preset")};
  if (!scenario.workload.model || scenario.workload.serving || !scenario.workload.gpus || !scenario.workload.gpu)
    return {refusal_of("RY-PLN-001", "there is no training job to plan a network for",
                       "name a scenario with a [model], [training] and [cluster], such as llama3", scenario.keys.file)};
  return {};
}

/// Limits belong to the name of a search: what is beyond one is kept as that.
std::vector<std::string> journal_words(const PlanQuestion& question, const std::vector<NetworkLimit>& limits,
                                       const Catalog& catalog) {
  const ScenarioText text;
  (void)load_named_scenario(question.scenario, catalog, question.overrides, {}, &text);
  std::vector<std::string> words = joined(question.overrides, {text.text(), "network"});
  for (const NetworkLimit& limit : limits) words.push_back(fmt::format("{} {:a}", limit.word, limit.allowed));
  return words;
}

void add_today(const Networks& networks, const Scenario& scenario, const PlanQuestion& question, PlannedNetwork& plan) {
  if (!scenario.keys.given("fabric.topology")) return;
  const Outcome today = networks.played(scenario);
  if (!today.refused.empty()) return;
  plan.today = row_of_network(today.values, {"today"}, question.overrides, question);
  plan.today->one_down_s = networks.one_down(question.overrides);
}

/// What was played, and which of it is proposed.
void take_rows(const Networks& networks, const PlanQuestion& question, const SoughtNetworks& found, PlannedNetwork& plan) {
  for (const TriedPoint& tried : found.search.ranked) {
    std::vector<std::string> values;
    for (std::size_t axis = 0; axis < plan.space.axes().size(); axis++) values.push_back(plan.space.text(tried.point, axis));
    const std::vector<double> figures =
        networks.figures_of(tried.by_level[kBuilt].values, tried.by_level[kPlayed].values[kStep]);
    NetworkRow row = row_of_network(figures, std::move(values), networks.overrides(tried.point), question);
    if (const auto down = found.down.find(tried.point); down != found.down.end()) row.one_down_s = down->second;
    row.on_front = std::find(found.front.begin(), found.front.end(), tried.point) != found.front.end();
    if (tried.point == found.chosen) plan.chosen = plan.rows.size();
    plan.rows.push_back(std::move(row));
  }
}

/// By what share the most tolerant of those looked at loses least with a switch down; infinite if all stop.
double least_loss(const PlannedNetwork& plan) {
  double least = INFINITY;
  for (const NetworkRow& one : plan.rows)
    if (one.one_down_s.value_or(0) > 0) least = std::min(least, *one.one_down_s / one.step_s - 1);
  return least;
}

Diagnostic why_none_is_tolerant(const PlannedNetwork& plan, double tolerated) {
  const double least = least_loss(plan);
  return refusal_of("RY-PLN-005",
                    fmt::format("no network loses {:g} % or less with a switch above its leaves down: {}", 100 * tolerated,
                                std::isfinite(least) ? fmt::format("the best loses {:.2g} %", 100 * least)
                                                     : std::string("all have one switch, or stop")),
                    "allow more with --tolerate, or slower networks with --loss");
}

}  // namespace

Result<PlannedNetwork> find_network_plan(const PlanQuestion& question, const Scenario& scenario, const Catalog& catalog,
                                         Progress& progress) {
  if (Diagnostics refused = refused_wish(question, scenario); !refused.empty()) return refused;
  PlannedNetwork plan;
  plan.name = scenario.name, plan.scenario = question.scenario;
  plan.gpus = *scenario.workload.gpus, plan.by = question.request.by;
  plan.space = Space(network_axes(scenario, catalog));
  const Networks networks(question, scenario, plan.space, catalog);
  const std::vector<NetworkLimit> limits = limits_of(question.request);
  const NetworkQuestion asked{networks, plan.space, question.request, limits, question.crew};
  const Problem problem = problem_of_networks(asked);
  Journal journal;
  if (Diagnostics refused = open_journal(question.crew, journal, question.request.journal,
                                         name_of_search(problem, journal_words(question, limits, catalog)), kNetworkFigures);
      !refused.empty())
    return refused;
  SoughtNetworks found = search_networks(problem, asked, journal, progress);
  take_rows(networks, question, found, plan);
  plan.search = std::move(found.search);
  if (plan.rows.empty()) return why_no_network(networks, plan.space, limits);
  if (!found.chosen) return why_none_is_tolerant(plan, question.request.tolerate.value_or(0));
  if (!journal.is_whole())
    return refusal_of("RY-SEA-003", "the journal could not be written to its end", "check the disk",
                      {question.request.journal, 0, 0});
  plan.unpriced = networks.unpriced(plan.rows[plan.chosen].set);
  add_today(networks, scenario, question, plan);
  plan.growth = growth_text(networks, plan.rows[plan.chosen], plan, question.request.grow);
  return plan;
}

}  // namespace railyard
