#include "tools/tune/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answer/trial.h"
#include "base/check.h"
#include "base/quantity_text.h"
#include "scenario/presets.h"
#include "search/evolve.h"
#include "search/ladder.h"
#include "tools/tune/axes.h"
#include "tools/tune/tune_bench.h"

namespace railyard {

namespace {

constexpr std::uint32_t kMostHosts = 128, kFewHosts = 64;
constexpr std::uint64_t kSearchedSeeds = 2, kCheckedSeeds = 8, kMostSettings = 100'000;
constexpr std::uint32_t kPatience = 8;  // generations without a better setting

Diagnostic refusal(const char* code, std::string message, std::string hint, SourceSpan where = {}) {
  return {Severity::error, code, std::move(message), std::move(hint), std::move(where)};
}

Diagnostics refused_network(const Scenario& s) {
  if (s.transport.kind != TransportKind::roce)
    return {refusal("RY-TUN-001", fmt::format("{} has nothing of this to tune", name_of(s.transport.kind)),
                    "name a scenario with transport.kind = \"roce\": ECN, PFC and DCQCN are tuned",
                    s.keys.where("transport.kind"))};
  if (s.keys.given("qos"))
    return {refusal("RY-TUN-001", "what [qos] says of devices would win over what is tried",
                    "tune the scenario without [qos], and write devices anew with --for", s.keys.where("qos"))};
  return {};
}

/// The network as it is played, or why it cannot be.
Result<Scenario> prepare_network(TuneBench& bench) {
  bench.base = {"engine.fidelity=packet"};
  Result<Scenario> whole = bench.load({});
  if (!whole) return whole;
  if (Diagnostics refused = refused_network(*whole); !refused.empty()) return refused;
  if (whole->fabric.endpoints <= kMostHosts) return whole;
  bench.base.push_back(fmt::format("cluster.gpus={}", kFewHosts));
  Result<Scenario> small = bench.load({});
  if (!small)
    return refusal("RY-TUN-002",
                   fmt::format("{} hosts are too many to try settings on, and this network cannot be built with {}: {}",
                               format_count(whole->fabric.endpoints), kFewHosts, small.error().front().message),
                   fmt::format("describe a part of it with at most {} hosts", kMostHosts), whole->keys.where("cluster.gpus"));
  return small;
}

Result<Space> space_of(const TuneQuestion& question, const Scenario& scenario, const TuneBench& bench) {
  std::vector<Axis> axes = question.only ? std::vector<Axis>{} : tune_axes(scenario);
  Result<std::vector<Axis>> asked = read_axes(question.vary);
  if (!asked) return asked.error();
  if (Diagnostics wrong = bench.wrong_values_of(*asked); !wrong.empty()) return wrong;
  for (Axis& axis : *asked) {
    axis.values.insert(axis.values.begin(), {"as it is", {}});
    std::erase_if(axes, [&](const Axis& one) {
      return one.values.front().set.size() == 1 && one.values.front().set.front().starts_with(axis.name + "=");
    });
    axes.push_back(std::move(axis));
  }
  std::erase_if(axes, [](const Axis& axis) { return axis.values.size() < 2; });
  if (axes.empty())
    return refusal("RY-TUN-003", "there is nothing to choose", "add --vary key=values, or switch DCQCN or PFC on");
  return Space(std::move(axes));
}

std::vector<double> values_of(const TuneBench& bench, const SeededFigures& played, const SeededFigures& usual,
                              const std::string& by) {
  const std::vector<WorkloadFigures> figures = mean_over_seeds(played);
  double least = INFINITY, most = 0;
  for (std::size_t seed = 0; seed < played.size(); seed++) {
    const double one = score_of(played[seed], usual[seed], bench.workloads, by);
    least = std::min(least, one), most = std::max(most, one);
  }
  std::vector<double> values{score_of(figures, mean_over_seeds(usual), bench.workloads, by), least, most};
  for (const WorkloadFigures& one : figures) one.add_to(values);
  return values;
}

/// A way to measure on some seeds, against what there is on the same ones. Settings that cannot be better than `worst`,
/// whatever the workloads that were not played, have that as their score: a bound.
Result<Level> level_on(const TuneBench& bench, const Space& space, std::string name, const std::vector<std::uint64_t>& seeds,
                       const std::string& by, double worst) {
  Result<SeededFigures> defaults = bench.play({}, seeds);
  if (!defaults) return defaults.error();
  return Level{.name = std::move(name), .evaluate = [&bench, &space, seeds, against = *defaults, by, worst](PointId point) {
                 const std::vector<WorkloadFigures> usual = mean_over_seeds(against);
                 const Result<SeededFigures> played = bench.play(space.overrides(point), seeds, [&](const SeededFigures& part) {
                   return score_of(mean_over_seeds(at_best(part, against)), usual, bench.workloads, by) <= worst;
                 });
                 if (!played) return Outcome{played.error().front().message, {}};
                 return Outcome{{}, values_of(bench, at_best(*played, against), against, by)};
               }};
}

std::vector<Measure> measures_of(const TuneBench& bench) {
  std::vector<Measure> measures{{"score", "", true}, {"least score", "", true}, {"most score", "", true}};
  for (const TuneWorkload& workload : bench.workloads)
    for (std::size_t i = 0; i < WorkloadFigures::kCount; i++) measures.push_back({workload.name, "", true});
  return measures;
}

TunedRow row_of(PointId point, const Outcome& outcome, const Space& space) {
  TunedRow row;
  for (std::size_t axis = 0; axis < space.axes().size(); axis++) row.values.push_back(space.text(point, axis));
  row.score = outcome.values[0], row.least_score = outcome.values[1], row.most_score = outcome.values[2];
  row.figures = figures_of(outcome);
  row.set = set_of(point, space);
  return row;
}

/// Refuses a file that is not of this question.
Diagnostics open_tune_journal(const TuneQuestion& question, const Problem& problem, const Catalog& catalog, Journal& journal) {
  const ScenarioText text;
  (void)load_named_scenario(question.scenario, catalog, question.overrides, {}, &text);
  return open_journal(question.crew, journal, question.journal,
                      name_of_search(problem, joined(question.overrides, {text.text(), question.request.by})),
                      problem.measures.size());
}

/// Everything on all seeds that settings are checked on, where proof is asked for.
SearchResult search_of(const TuneQuestion& question, const Problem& problem, std::uint64_t seed, Journal& journal,
                       Progress& progress) {
  if (!question.request.exhaustive)
    return search_evolve(
        problem, {.crew = question.crew, .seed = seed, .most_generations = question.request.generations, .patience = kPatience},
        journal, progress);
  const LadderOptions all{.crew = question.crew, .baseline = 0, .is_exhaustive = true, .most_moves = 0};
  return search_ladder(problem, all, journal, progress);
}

/// Searched on the scenario's own seed and the next, checked on others.
Result<Problem> problem_of(const TuneBench& bench, const Space& space, const Tuned& tuned) {
  Problem problem{.space = space, .measures = measures_of(bench), .glance = [](PointId) { return Glance{}; }, .levels = {}};
  Result<Level> searched = level_on(bench, space, "packets", tuned.searched_seeds, tuned.by, kHopeless);
  if (!searched) return searched.error();
  Result<Level> checked = level_on(bench, space, "packets on other seeds", tuned.checked_seeds, tuned.by, INFINITY);
  if (!checked) return checked.error();
  problem.levels = {std::move(*searched), std::move(*checked)};
  return problem;
}

/// The score with the seeds that were searched with, where it was played.
std::optional<double> searched_score(const TriedPoint& tried) {
  const Outcome& first = tried.by_level.front();
  return tried.by_level.size() < 2 || first.values.empty() ? std::nullopt : std::optional(first.values.front());
}

/// What would have been chosen by the seeds that were searched with, of those that others were played with, too.
void take_choice_of_search(Tuned& tuned) {
  if (tuned.search.levels.size() < 2) return;  // all were played with all seeds
  const TriedPoint* chosen = nullptr;
  for (const TriedPoint& tried : tuned.search.ranked)
    if (searched_score(tried) && (!chosen || *searched_score(tried) < *searched_score(*chosen))) chosen = &tried;
  if (!chosen) return;
  const TriedPoint& best = tuned.search.ranked.front();
  tuned.searched = SearchersChoice{.score = *searched_score(*chosen),
                                   .checked = chosen->by_level.back().values.front(),
                                   .best = searched_score(best).value_or(1),
                                   .is_best = chosen->point == best.point};
}

void take_rows(std::size_t keep, Tuned& tuned) {
  for (const Axis& axis : tuned.space.axes()) tuned.defaults.push_back(axis.values.front().text);
  RY_CHECK(tuned.search.baseline && tuned.search.baseline->by_level.back().refused.empty(), "what there is was played");
  tuned.today = row_of(0, tuned.search.baseline->by_level.back(), tuned.space);
  for (std::size_t i = 0; i < std::min(tuned.search.ranked.size(), keep); i++)
    tuned.best.push_back(row_of(tuned.search.ranked[i].point, tuned.search.ranked[i].by_level.back(), tuned.space));
  tuned.front = front_of_settings(tuned.search, tuned.space, tuned.workloads, tuned.today.figures);
  take_choice_of_search(tuned);
}

/// The geometric mean over incasts of a time by workload, over today's tail.
template<class Time>
double mean_of_incasts(const Tuned& tuned, Time time) {
  double logs = 0, count = 0;
  for (std::size_t i = 0; i < tuned.workloads.size(); i++) {
    if (!tuned.workloads[i].is_incast) continue;
    logs += std::log(time(i) / tuned.today.figures[i].tail_us);
    count++;
  }
  return count == 0 ? 1 : std::exp(logs / count);
}

}  // namespace

double Tuned::incast_tail() const {
  return best.empty() ? 1 : mean_of_incasts(*this, [&](std::size_t i) { return best.front().figures[i].tail_us; });
}

double Tuned::least_incast_tail() const {
  return mean_of_incasts(*this, [&](std::size_t i) { return today.figures[i].least_us; });
}

Result<Tuned> find_settings(const TuneQuestion& question, const Catalog& catalog, Progress& progress) {
  if (question.scenario == "-")
    return refusal("RY-TUN-001", "tuning reads its scenario many times, and standard input comes once",
                   "name a file or a preset");
  const Result<Scenario> own = load_named_scenario(question.scenario, catalog, question.overrides);
  if (!own) return own.error();
  TuneBench bench({question.scenario, question.overrides}, catalog);
  bench.plays_all = question.request.exhaustive;
  const Result<Scenario> network = prepare_network(bench);
  if (!network) return network.error();
  bench.workloads = tune_workloads(*network, *own);
  if (bench.workloads.empty())
    return refusal("RY-TUN-001", "a network of fewer than four hosts has no congestion to tune for", "describe a larger one");
  const Result<Space> space = space_of(question, *network, bench);
  if (!space) return space.error();
  if (question.request.exhaustive && space->size() > kMostSettings)
    return refusal("RY-TUN-005",
                   fmt::format("{} settings are more than the {} that are all played", format_count(space->size()),
                               format_count(kMostSettings)),
                   "give fewer axes (--only --vary), or leave --exhaustive out");
  Tuned tuned;
  tuned.by = question.request.by;
  for (std::uint64_t i = 0; i < kSearchedSeeds + kCheckedSeeds; i++)
    (i < kSearchedSeeds ? tuned.searched_seeds : tuned.checked_seeds).push_back(network->engine.seed + i);
  const Result<Problem> problem = problem_of(bench, *space, tuned);
  if (!problem) return problem.error();
  Journal journal;
  if (Diagnostics refused = open_tune_journal(question, *problem, catalog, journal); !refused.empty()) return refused;
  tuned.search = search_of(question, *problem, network->engine.seed, journal, progress);
  if (!journal.is_whole())
    return refusal("RY-SEA-003", "the journal could not be written to its end", "check the disk", {question.journal, 0, 0});
  tuned.name = own->name, tuned.scenario = question.scenario;
  tuned.overrides = joined(question.overrides, bench.base);
  tuned.hosts = network->fabric.endpoints;
  tuned.workloads = bench.workloads;
  tuned.space = *space;
  take_rows(question.keep, tuned);
  return tuned;
}

}  // namespace railyard
