#include "tools/plan/network_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "answer/trial.h"
#include "base/quantity_text.h"
#include "report/command_text.h"
#include "scenario/presets.h"
#include "search/front.h"
#include "tools/plan/network_figures.h"
#include "tools/plan/network_limits.h"
#include "tools/plan/network_space.h"

namespace railyard {

namespace {

constexpr const char* kBeyond = "it is beyond a limit";

/// Of a journal: what a network does with a switch down, after the levels of the search.
constexpr std::size_t kDownLevel = 2;

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

void mark_front(std::vector<NetworkRow>& rows) {
  std::vector<std::vector<double>> points;
  for (const NetworkRow& row : rows) points.push_back({row.step_s, row.switches, row.cables, row.network_watts.value});
  const std::vector<bool> front =
      pareto_front({{"step", "s", true}, {"switches", "", true}, {"cables", "", true}, {"power", "W", true}}, points);
  for (std::size_t i = 0; i < rows.size(); i++) rows[i].on_front = front[i];
}

/// Less is better. Sums that lack a price do not compare with those that do not: they come after them.
std::vector<double> merit_of(const NetworkRow& row, const std::string& by, bool all_priced) {
  const double unknown = row.is_known ? 0 : 1;
  const auto sum = [&](const Sum& of) { return std::vector<double>{unknown, of.complete ? 0.0 : 1.0, of.value, row.step_s}; };
  if (by == "step") return {unknown, row.step_s};
  if (by == "price" || (by == "hardware" && all_priced)) return sum(row.network_usd);
  if (by == "power") return sum(row.network_watts);
  if (by == "tokens") return sum(row.token_usd);
  if (by == "one-down") return {unknown, row.one_down_s.value_or(0) > 0 ? *row.one_down_s : INFINITY, row.step_s};
  return {unknown, row.switches + row.optics / 16, row.step_s};
}

/// Looks at networks with a switch less and chooses one.
class NetworkChoice {
 public:
  NetworkChoice(const Networks& networks, const PlanQuestion& question, Journal& journal, Progress& progress,
                PlannedNetwork& plan)
      : networks_(networks),
        asked_(question.request),
        crew_(question.crew),
        journal_(journal),
        progress_(progress),
        plan_(plan) {}

  /// Of the fastest so many and what nothing beats, and of what would be chosen, until one survives. False: none is as tolerant
  /// as was asked.
  bool choose() {
    std::vector<std::size_t> order = fast_enough();
    look_at(asked_.exhaustive ? all() : asked_.by == "one-down" ? order : front());
    const bool all_priced = std::all_of(order.begin(), order.end(), [&](std::size_t i) { return row(i).network_usd.complete; });
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return merit_of(row(a), asked_.by, all_priced) < merit_of(row(b), asked_.by, all_priced);
    });
    plan_.chosen = order.front();
    for (const std::size_t i : order) {
      look_at({i});
      if (!survives(row(i))) continue;
      plan_.chosen = i;
      return true;
    }
    return !asked_.tolerate;
  }

  /// By what share the most tolerant of those looked at loses least with a switch down; infinite if all stop.
  [[nodiscard]] double least_loss() const {
    double least = INFINITY;
    for (const NetworkRow& one : plan_.rows)
      if (one.one_down_s.value_or(0) > 0) least = std::min(least, *one.one_down_s / one.step_s - 1);
    return least;
  }

 private:
  NetworkRow& row(std::size_t i) { return plan_.rows[i]; }

  std::vector<std::size_t> fast_enough() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < plan_.rows.size(); i++)
      if (plan_.rows[i].step_s <= plan_.rows.front().step_s * (1 + asked_.loss)) out.push_back(i);
    return out;
  }

  std::vector<std::size_t> all() const {
    std::vector<std::size_t> out(plan_.rows.size());
    std::iota(out.begin(), out.end(), std::size_t{0});
    return out;
  }

  std::vector<std::size_t> front() const {
    constexpr std::size_t kLookedAt = 12;
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < plan_.rows.size(); i++)
      if (plan_.rows[i].on_front && out.size() < kLookedAt) out.push_back(i);
    return out;
  }

  /// A limit asks for something above the leaves that may fail; without one, whatever goes on is fine.
  bool survives(const NetworkRow& one) const {
    if (!asked_.tolerate) return std::isfinite(*one.one_down_s);
    return *one.one_down_s > 0 && *one.one_down_s <= one.step_s * (1 + *asked_.tolerate);
  }

  void look_at(const std::vector<std::size_t>& which) {
    std::vector<SearchTrial> trials;
    for (const std::size_t i : which)
      if (!row(i).one_down_s) trials.push_back({kDownLevel, *row(i).point});
    Progress part(progress_, 0);
    const std::vector<Outcome> found = measure_trials(
        crew_, journal_, trials,
        [&](std::size_t i, Progress&) {
          std::vector<double> values(kNetworkFigures, 0);  // as many as of other outcomes
          values.front() = networks_.one_down(networks_.overrides(trials[i].point));
          return Outcome{{}, values};
        },
        part);
    std::size_t next = 0;
    for (const std::size_t i : which)
      if (!row(i).one_down_s) row(i).one_down_s = found[next++].values.front();
  }

  const Networks& networks_;
  const PlanRequest& asked_;
  const Crew& crew_;
  Journal& journal_;
  Progress& progress_;
  PlannedNetwork& plan_;
};

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

/// How far flows may be faster than closed forms, as in job plans.
constexpr double kFlowSlack = 0.01;

/// What nothing may beat is small in these.
constexpr NetworkFigure kFrontFigures[] = {kStep, kSwitches, kCables, kWatts};

/// Whether a network that was built is neither proposed, since it is slower than is allowed, nor unbeaten, since one that was
/// played is as good in everything. Its step in closed form stands for the least that it can take.
bool cannot_matter(const std::vector<double>& built, const std::vector<Outcome>& played, double loss) {
  std::vector<double> least = built;
  least[kStep] *= 1 - kFlowSlack;
  double fastest = INFINITY;
  for (const Outcome& one : played) fastest = std::min(fastest, one.values[kStep]);
  if (least[kStep] <= fastest * (1 + loss)) return false;
  return std::any_of(played.begin(), played.end(), [&](const Outcome& one) {
    return std::all_of(std::begin(kFrontFigures), std::end(kFrontFigures),
                       [&](NetworkFigure figure) { return one.values[figure] <= least[figure]; });
  });
}

/// Built first: what is beyond a limit is not played, nor what cannot matter.
Problem problem_of_networks(const Networks& networks, const Space& space, const std::vector<NetworkLimit>& limits,
                            const PlanRequest& asked) {
  Problem problem{.space = space, .measures = network_measures(), .glance = [](PointId) { return Glance{}; }, .levels = {}};
  problem.levels.push_back({.name = "built and priced", .evaluate = [&](PointId point) {
                              Outcome outcome = networks.built(point);
                              if (outcome.refused.empty() && !broken_limits(limits, outcome.values).empty())
                                outcome = {kBeyond, {}};
                              return outcome;
                            }});
  Level flows{.name = "flows", .evaluate = [&](PointId point) { return networks.played(point); }, .slack = 1, .batch = 8};
  if (!asked.exhaustive)
    flows.rules_out = [loss = asked.loss](const Outcome& built, const std::vector<Outcome>& played) {
      return cannot_matter(built.values, played, loss);
    };
  problem.levels.push_back(std::move(flows));
  return problem;
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
  const Problem problem = problem_of_networks(networks, plan.space, limits, question.request);
  Journal journal;
  if (Diagnostics refused = open_journal(question.crew, journal, question.request.journal,
                                         name_of_search(problem, journal_words(question, limits, catalog)), kNetworkFigures);
      !refused.empty())
    return refused;
  const LadderOptions options{.crew = question.crew, .keep = 1'000'000, .most_moves = 0};
  plan.search = search_ladder(problem, options, journal, progress);
  for (const TriedPoint& tried : plan.search.ranked) {
    std::vector<std::string> values;
    for (std::size_t axis = 0; axis < plan.space.axes().size(); axis++) values.push_back(plan.space.text(tried.point, axis));
    plan.rows.push_back(
        row_of_network(tried.by_level.back().values, std::move(values), networks.overrides(tried.point), question));
    plan.rows.back().point = tried.point;
  }
  if (plan.rows.empty()) return why_no_network(networks, plan.space, limits);
  mark_front(plan.rows);
  NetworkChoice choice(networks, question, journal, progress, plan);
  if (!choice.choose())
    return refusal_of(
        "RY-PLN-005",
        fmt::format("no network loses {:g} % or less with a switch above its leaves down: {}", 100 * *question.request.tolerate,
                    std::isfinite(choice.least_loss()) ? fmt::format("the best loses {:.2g} %", 100 * choice.least_loss())
                                                       : std::string("all have one switch, or stop")),
        "allow more with --tolerate, or slower networks with --loss");
  if (!journal.is_whole())
    return refusal_of("RY-SEA-003", "the journal could not be written to its end", "check the disk",
                      {question.request.journal, 0, 0});
  plan.unpriced = networks.unpriced(plan.rows[plan.chosen].set);
  add_today(networks, scenario, question, plan);
  plan.growth = growth_text(networks, plan.rows[plan.chosen], plan, question.request.grow);
  return plan;
}

}  // namespace railyard
