#include "tools/plan/job_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "answer/trial.h"
#include "base/quantity_text.h"
#include "report/command_text.h"
#include "scenario/presets.h"
#include "sim/simulate.h"
#include "sim/step/step_run.h"
#include "sim/supported.h"
#include "tools/plan/job_space.h"
#include "workload/step.h"

namespace railyard {

namespace {

constexpr std::uint64_t kMostPoints = 50'000'000;

/// How far flows may be faster than closed forms, and the mean of draws than one of them: seen in what is shipped, with room.
constexpr double kFlowSlack = 0.01, kDrawSlack = 0.03;

constexpr std::uint64_t kPlansOverFlows = 400, kPlansDrawn = 20;

constexpr const char* kTooFull = "it does not fit into memory";

Diagnostic refusal(const char* code, std::string message, std::string hint, SourceSpan where = {}) {
  return {Severity::error, code, std::move(message), std::move(hint), std::move(where)};
}

/// The overrides that make the scenario a point of the space.
class JobPoints {
 public:
  JobPoints(const PlanQuestion& question, const Scenario& scenario, const JobSpace& space, const Catalog& catalog)
      : question_(question), space_(space), catalog_(catalog) {
    if (scenario.keys.given("slice")) whole_.push_back("slice=");
  }

  [[nodiscard]] std::vector<std::string> overrides(PointId point) const {
    return joined(question_.overrides, space_.overrides(point));
  }
  /// The same, timed as a whole: what would be played packet by packet is left out.
  [[nodiscard]] Result<Scenario> load(const std::vector<std::string>& overrides) const {
    return load_named_scenario(question_.scenario, catalog_, joined(overrides, whole_));
  }

  /// In closed form.
  [[nodiscard]] Outcome closed_form(PointId point) const {
    const Result<Scenario> scenario = load(joined(overrides(point), {"engine.fidelity=analytic"}));
    if (!scenario) return {scenario.error().front().message, {}};
    if (const Diagnostics refused = unsupported(*scenario); !refused.empty()) return {refused.front().message, {}};
    const Result<Step> step = build_step(scenario->workload, scenario->keys, false);
    if (!step) return {step.error().front().code == "RY-MEM-001" ? kTooFull : step.error().front().message, {}};
    const double share = fullest_share(*scenario, *step);
    if (share > question_.request.memory) return {kTooFull, {}};
    return {{}, {seconds(run_step(*scenario, *step).time), share}};
  }

  /// Over flows, on average over the seeds; with the scenario's own one if there are none.
  [[nodiscard]] Outcome over_flows(PointId point, const std::vector<std::uint64_t>& seeds) const {
    std::vector<std::vector<std::string>> draws;
    for (const std::uint64_t seed : seeds) draws.push_back({"engine.fidelity=flow", fmt::format("engine.seed={}", seed)});
    if (draws.empty()) draws.push_back({"engine.fidelity=flow"});
    double sum = 0, share = 0;
    for (const std::vector<std::string>& draw : draws) {
      const Result<Scenario> scenario = load(joined(overrides(point), draw));
      if (!scenario) return {scenario.error().front().message, {}};
      Progress unseen;
      const Result<Run> run = simulate(*scenario, {.threads = 1, .brief = true}, unseen);
      if (!run) return {run.error().front().message, {}};
      sum += seconds(run->training->time);
      share = fullest_share(*scenario, run->training->step);
    }
    return {{}, {sum / static_cast<double>(draws.size()), share}};
  }

 private:
  static double fullest_share(const Scenario& scenario, const Step& step) {
    Bytes most;
    for (const StageWork& stage : step.stages) most = std::max(most, stage.memory.total());
    return static_cast<double>(most.count()) / static_cast<double>(scenario.workload.gpu->gpu.memory.count());
  }

  const PlanQuestion& question_;
  const JobSpace& space_;
  const Catalog& catalog_;
  std::vector<std::string> whole_;
};

Problem problem_of(const JobSpace& space, const JobPoints& points, const Scenario& scenario) {
  Problem problem{.space = space.space(),
                  .measures = {{"step", "s", true}, {"memory", "of a GPU", true}},
                  .glance = [&space](PointId point) { return space.glance(point); },
                  .levels = {}};
  problem.levels.push_back({.name = "closed forms",
                            .evaluate = [&points](PointId point) { return points.closed_form(point); },
                            .slack = 0,
                            .batch = 64});
  if (scenario.engine.fidelity == Fidelity::analytic) return problem;
  problem.levels.push_back({.name = "flows",
                            .evaluate = [&points](PointId point) { return points.over_flows(point, {}); },
                            .slack = kFlowSlack,
                            .batch = 8,
                            .most = kPlansOverFlows});
  if (const std::vector<std::uint64_t> seeds = seeds_for(scenario, false); !seeds.empty())
    problem.levels.push_back({.name = fmt::format("flows, {} draws of the hash", seeds.size()),
                              .evaluate = [&points, seeds](PointId point) { return points.over_flows(point, seeds); },
                              .slack = kDrawSlack,
                              .batch = 4,
                              .most = kPlansDrawn});
  return problem;
}

PlanRow row_of(const TriedPoint& tried, const JobSpace& space, const PlanQuestion& question) {
  PlanRow row;
  for (std::size_t axis = 0; axis < space.space().axes().size(); axis++)
    row.values.push_back(space.space().text(tried.point, axis));
  row.replicas = space.replicas(tried.point);
  row.step_s = tried.by_level.back().values[0];
  row.memory_share = tried.by_level.back().values[1];
  row.closed_form_s = tried.by_level.front().values.empty() ? row.step_s : tried.by_level.front().values[0];
  row.command = run_command_text(question.scenario, joined(question.overrides, space.overrides(tried.point)));
  return row;
}

/// Where the time of a plan goes, as a whole run tells.
std::optional<PlanDetail> detail_of(const PlanRow& row, const std::vector<std::string>& overrides, const JobPoints& points) {
  const Result<Scenario> scenario = points.load(overrides);
  if (!scenario) return std::nullopt;
  Progress unseen;
  const Result<Run> run = simulate(*scenario, {.threads = 1}, unseen);
  if (!run || !run->training) return std::nullopt;
  return PlanDetail{row, analyse_step(*scenario, *run->training)};
}

/// What keeps plans from being: the reason that the most points have.
std::string most_frequent(const SearchResult& search) {
  return search.impossible.empty() ? kTooFull : search.impossible.front().first;
}

/// What the job is, and not how it is split: steps of different jobs are not compared.
bool is_of_job(const std::string& key) {
  return key == "cluster.gpus" || key == "training.global_batch" || key.starts_with("model.");
}

/// The axes that were asked for, if they leave the job what it is.
Result<std::vector<Axis>> axes_of(const PlanRequest& request) {
  Result<std::vector<Axis>> axes = read_axes(request.vary);
  if (!axes) return axes;
  for (const Axis& axis : *axes)
    if (is_of_job(axis.name))
      return refusal("RY-PLN-006", fmt::format("{} is what the job is, which a plan keeps", axis.name),
                     "ask for a plan of each with --set, or compare steps of different jobs with railyard sweep");
  return axes;
}

Diagnostics refused_question(const PlanQuestion& question, const Scenario& scenario) {
  if (question.scenario == "-")
    return {refusal("RY-PLN-001", "a plan reads its scenario many times, and standard input comes once",
                    "name a file or a preset")};
  if (!scenario.workload.model || scenario.workload.serving || !scenario.workload.gpus || !scenario.workload.gpu)
    return {refusal("RY-PLN-001", "there is no training job to plan here",
                    "name a scenario with a [model], [training] and [cluster], such as llama3", scenario.keys.file)};
  if (question.request.only && question.request.vary.empty())
    return {refusal("RY-PLN-004", "--only leaves nothing to choose", "add --vary key=values, or leave --only out")};
  return {};
}

}  // namespace

Result<PlannedJob> find_job_plan(const PlanQuestion& question, const Scenario& scenario, const Catalog& catalog,
                                 Progress& progress) {
  if (Diagnostics refused = refused_question(question, scenario); !refused.empty()) return refused;
  const Result<std::vector<Axis>> axes = axes_of(question.request);
  if (!axes) return axes.error();
  const JobSpace space(scenario, *axes, question.request.only);
  if (space.space().early_size() > kMostPoints)
    return refusal("RY-PLN-002",
                   fmt::format("{} plans are more than the {} that are looked at", format_count(space.space().early_size()),
                               format_count(kMostPoints)),
                   "give fewer values, or fewer axes (--only)");
  if (Diagnostics wrong = wrong_values({question.scenario, question.overrides}, catalog, all_sets(*axes)); !wrong.empty())
    return wrong;
  const JobPoints points(question, scenario, space, catalog);
  const Problem problem = problem_of(space, points, scenario);
  Journal journal;
  const ScenarioText text;
  (void)load_named_scenario(question.scenario, catalog, question.overrides, {}, &text);
  const std::vector<std::string> words =
      joined(question.overrides, {text.text(), fmt::format("{:a}", question.request.memory)});
  if (Diagnostics refused = open_journal(question.crew, journal, question.request.journal, name_of_search(problem, words),
                                         problem.measures.size());
      !refused.empty())
    return refused;
  const LadderOptions options{.crew = question.crew,
                              .keep = std::max(1U, question.request.keep),
                              .baseline = space.baseline(),
                              .is_exhaustive = question.request.exhaustive};
  PlannedJob plan;
  plan.name = scenario.name, plan.scenario = question.scenario;
  plan.gpus = *scenario.workload.gpus, plan.gpu = scenario.workload.gpu_model;
  plan.level = problem.levels.back().name;
  plan.space = space.space();
  plan.search = search_ladder(problem, options, journal, progress);
  if (!journal.is_whole())
    return refusal("RY-SEA-003", "the journal could not be written to its end", "check the disk",
                   {question.request.journal, 0, 0});
  if (plan.search.ranked.empty())
    return refusal("RY-PLN-003",
                   fmt::format("no plan for {} fits on {} {}: of most, {}", scenario.name, format_count(plan.gpus), plan.gpu,
                               most_frequent(plan.search)),
                   "use more GPUs, GPUs with more memory, or more values (--vary)", scenario.keys.where("parallel"));
  for (std::size_t i = 0; i < std::min<std::size_t>(plan.search.ranked.size(), options.keep); i++)
    plan.best.push_back(row_of(plan.search.ranked[i], space, question));
  plan.best_detail = detail_of(plan.best.front(), points.overrides(plan.search.ranked.front().point), points);
  if (!plan.search.baseline) return plan;
  const TriedPoint& today = *plan.search.baseline;
  if (!today.by_level.back().refused.empty()) {
    plan.refused_today = today.by_level.back().refused;
    return plan;
  }
  plan.today = row_of(today, space, question);
  plan.today_detail = detail_of(*plan.today, question.overrides, points);
  return plan;
}

}  // namespace railyard
