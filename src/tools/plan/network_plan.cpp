#include "tools/plan/network_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "answer/trial.h"
#include "base/parallel.h"
#include "base/quantity_text.h"
#include "fabric/build.h"
#include "report/command_text.h"
#include "scenario/presets.h"
#include "search/front.h"
#include "sim/simulate.h"
#include "sim/step/step_run.h"
#include "tools/plan/network_space.h"
#include "workload/step.h"

namespace railyard {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

Diagnostic refusal_of(const char* code, std::string message, std::string hint, SourceSpan where = {}) {
  return {Severity::error, code, std::move(message), std::move(hint), std::move(where)};
}

/// What is measured of a network, in the order of an outcome's values.
enum Figure : std::size_t { kStep, kSwitches, kCables, kOptics, kUsd, kUsdMissing, kWatts, kWattsMissing, kReach, kFigures };

const std::vector<Measure>& network_measures() {
  static const std::vector<Measure> kAll = {{"step", "s", true},  {"switches", "", true},      {"cables", "", true},
                                            {"optics", "", true}, {"price", "USD", true},      {"unpriced", "", true},
                                            {"power", "W", true}, {"unknown power", "", true}, {"longest cable", "m", true}};
  return kAll;
}

/// Networks of the space, built, priced and played.
class Networks {
 public:
  Networks(const PlanQuestion& question, const Scenario& scenario, const Space& space, const Catalog& catalog)
      : question_(question), space_(space), catalog_(catalog), without_(without_network(scenario)) {}

  [[nodiscard]] std::vector<std::string> overrides(PointId point) const {
    return joined(joined(question_.overrides, without_), space_.overrides(point));
  }

  /// What it is made of, and the step on it without queues.
  [[nodiscard]] Outcome built(PointId point) const {
    const Result<Scenario> scenario = load(joined(overrides(point), {"engine.fidelity=flow"}));
    if (!scenario) return {scenario.error().front().message, {}};
    if (scenario->fabric.topology == Topology::rail_only && scenario->fabric.oversubscription != 1)
      return {"rails alone have nothing above their switches", {}};
    return built(*scenario);
  }

  [[nodiscard]] Outcome built(const Scenario& scenario) const {
    const Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
    if (!fabric) return {fabric.error().front().message, {}};
    const Result<Step> step = build_step(scenario.workload, scenario.keys, false);
    if (!step) return {step.error().front().message, {}};
    const BillOfMaterials parts = bill_of_materials(scenario, *fabric, catalog_);
    const ClusterCost cost = cluster_cost(scenario, *fabric, catalog_);
    std::vector<double> values(kFigures, 0);
    values[kStep] = seconds(run_step(scenario, *step).time);
    values[kSwitches] = static_cast<double>(parts.all_switches());
    values[kCables] = static_cast<double>(parts.all_cables());
    values[kOptics] = static_cast<double>(parts.optical_ends());
    values[kUsd] = cost.network_usd.value, values[kUsdMissing] = cost.network_usd.complete ? 0 : 1;
    values[kWatts] = cost.network_watts.value, values[kWattsMissing] = cost.network_watts.complete ? 0 : 1;
    for (const CableTier& cable : parts.cables)
      values[kReach] = std::max(values[kReach], static_cast<double>(cable.length.count()) / 1000);
    return {{}, std::move(values)};
  }

  /// With the step over flows.
  [[nodiscard]] Outcome played(PointId point) const {
    const std::vector<std::string> set = joined(overrides(point), {"engine.fidelity=flow"});
    const Result<Scenario> scenario = load(set);
    if (!scenario) return {scenario.error().front().message, {}};
    return played(*scenario);
  }

  [[nodiscard]] Outcome played(const Scenario& scenario) const {
    Outcome outcome = built(scenario);
    if (!outcome.refused.empty()) return outcome;
    std::string refused;
    const std::optional<double> whole = time_of(scenario, refused);
    if (!whole) return {refused, {}};
    outcome.values[kStep] = *whole;
    return outcome;
  }

  [[nodiscard]] Result<Scenario> load(const std::vector<std::string>& set) const {
    return load_named_scenario(question_.scenario, catalog_, set);
  }

  /// The slowest of what one switch less above the leaves does; 0 where there is none, infinite where the job stops.
  [[nodiscard]] double one_down(const std::vector<std::string>& set) const {
    double worst = 0;
    for (const char* const what : {"failures.\"spine 0\"=down", "failures.\"core 0\"=down"}) {
      const Result<Scenario> scenario = load(joined(set, {"engine.fidelity=flow", what}));
      if (!scenario) continue;
      Progress unseen;
      const Result<Run> run = simulate(*scenario, {.threads = 1, .brief = true}, unseen);
      if (run)
        worst = std::max(worst, seconds(run->training->time));
      else if (!run.error().front().code.starts_with("RY-FAB"))  // else it has no such switch
        worst = kNever;
    }
    return worst;
  }

 private:
  static std::optional<double> time_of(const Scenario& scenario, std::string& refused) {
    Progress unseen;
    const Result<Run> run = simulate(scenario, {.threads = 1, .brief = true}, unseen);
    if (!run) {
      refused = run.error().front().message;
      return std::nullopt;
    }
    return seconds(run->training->time);
  }

  const PlanQuestion& question_;
  const Space& space_;
  const Catalog& catalog_;
  const std::vector<std::string> without_;
};

NetworkRow row_of_network(const Outcome& outcome, std::vector<std::string> values, std::vector<std::string> set,
                          const PlanQuestion& question) {
  const std::vector<double>& v = outcome.values;
  NetworkRow row;
  row.values = std::move(values);
  row.step_s = v[kStep];
  row.switches = v[kSwitches], row.cables = v[kCables], row.optics = v[kOptics];
  row.network_usd = {v[kUsd], v[kUsdMissing] == 0}, row.network_watts = {v[kWatts], v[kWattsMissing] == 0};
  row.command = run_command_text(question.scenario, set);
  row.set = std::move(set);
  return row;
}

/// What limits keep out, and by how little.
struct Limits {
  const PlanRequest& asked;

  [[nodiscard]] std::vector<std::pair<std::string, double>> broken_by(const std::vector<double>& v) const {
    std::vector<std::pair<std::string, double>> out;
    if (asked.budget && v[kUsd] > *asked.budget) out.emplace_back("budget", v[kUsd]);
    if (asked.watts && v[kWatts] > *asked.watts) out.emplace_back("power", v[kWatts]);
    if (asked.reach_m && v[kReach] > *asked.reach_m) out.emplace_back("reach", v[kReach]);
    return out;
  }
};

void count_limit(const std::string& limit, double value, std::vector<LimitCount>& counts) {
  for (LimitCount& one : counts)
    if (one.limit == limit) {
      one.over++, one.least = std::min(one.least, value);
      return;
    }
  counts.push_back({limit, 1, value});
}

std::string limit_text(const LimitCount& limit, const PlanRequest& asked) {
  if (limit.limit == "budget")
    return fmt::format("the cheapest network costs {}, above the budget of {}", dollars_text(limit.least),
                       dollars_text(*asked.budget));
  if (limit.limit == "power")
    return fmt::format("the most frugal network draws {:.4g} kW, above the {:.4g} kW that are allowed", limit.least / 1000,
                       *asked.watts / 1000);
  return fmt::format("every network has cables of {:g} m, longer than the {:g} m that are allowed", limit.least,
                     *asked.reach_m);
}

/// Less hardware, by price where all of both are known, else by switches and optics.
bool is_smaller(const NetworkRow& a, const NetworkRow& b) {
  if (a.network_usd.complete && b.network_usd.complete && a.network_usd.value != b.network_usd.value)
    return a.network_usd.value < b.network_usd.value;
  return std::pair(a.switches + a.optics / 16, a.step_s) < std::pair(b.switches + b.optics / 16, b.step_s);
}

void mark_front(std::vector<NetworkRow>& rows) {
  std::vector<std::vector<double>> points;
  for (const NetworkRow& row : rows) points.push_back({row.step_s, row.switches, row.cables, row.network_watts.value});
  const std::vector<bool> front =
      pareto_front({{"step", "s", true}, {"switches", "", true}, {"cables", "", true}, {"power", "W", true}}, points);
  for (std::size_t i = 0; i < rows.size(); i++) rows[i].on_front = front[i];
}

/// With a switch less, for those that are looked at: the first of what nothing beats, and what would be chosen, until one
/// survives.
void choose_network(const Networks& networks, double loss, unsigned threads, PlannedNetwork& plan) {
  constexpr std::size_t kLookedAt = 12;
  std::vector<std::size_t> order, looked_at;
  for (std::size_t i = 0; i < plan.rows.size(); i++) {
    if (plan.rows[i].step_s <= plan.rows.front().step_s * (1 + loss)) order.push_back(i);
    if (plan.rows[i].on_front && looked_at.size() < kLookedAt) looked_at.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return is_smaller(plan.rows[a], plan.rows[b]); });
  for_each_index(looked_at.size(), threads, [&](std::size_t i) {
    NetworkRow& row = plan.rows[looked_at[i]];
    row.one_down_s = networks.one_down(row.set);
  });
  plan.chosen = order.front();
  for (const std::size_t i : order) {
    NetworkRow& row = plan.rows[i];
    if (!row.one_down_s) row.one_down_s = networks.one_down(row.set);
    if (!std::isfinite(*row.one_down_s)) continue;
    plan.chosen = i;
    return;
  }
}

/// What the chosen network takes for more GPUs: the same parts, wired for all of them.
std::string growth_text(const Networks& networks, const NetworkRow& chosen, const PlannedNetwork& plan, std::uint32_t more) {
  if (more == 0) return {};
  const std::vector<std::string> set =
      joined(chosen.set, {fmt::format("cluster.gpus={}", plan.gpus + more), "engine.fidelity=flow"});
  const Result<Scenario> scenario = networks.load(set);
  const Result<Fabric> fabric = scenario ? build_fabric(scenario->fabric, scenario->keys) : Result<Fabric>(scenario.error());
  if (!fabric) return fmt::format("It cannot grow by {} GPUs: {}.", format_count(more), fabric.error().front().message);
  const BillOfMaterials parts = bill_of_materials(*scenario, *fabric, builtin_catalog());
  return fmt::format("With {} GPUs more it takes {} switches and {} cables more.", format_count(more),
                     format_count(parts.all_switches() - static_cast<std::uint64_t>(chosen.switches)),
                     format_count(parts.all_cables() - static_cast<std::uint64_t>(chosen.cables)));
}

Problem problem_of_networks(const Networks& networks, const Space& space) {
  Problem problem{.space = space, .measures = network_measures(), .glance = [](PointId) { return Glance{}; }, .levels = {}};
  problem.levels.push_back({.name = "built and priced", .evaluate = [&](PointId point) { return networks.built(point); }});
  problem.levels.push_back({.name = "flows", .evaluate = [&](PointId point) { return networks.played(point); }, .slack = 1});
  return problem;
}

}  // namespace

Result<PlannedNetwork> find_network_plan(const PlanQuestion& question, const Scenario& scenario, const Catalog& catalog,
                                         Progress& progress) {
  if (!scenario.workload.model || scenario.workload.serving || !scenario.workload.gpus || !scenario.workload.gpu)
    return refusal_of("RY-PLN-001", "there is no training job to plan a network for",
                      "name a scenario with a [model], [training] and [cluster], such as llama3", scenario.keys.file);
  const Space space(network_axes(scenario, catalog));
  const Networks networks(question, scenario, space, catalog);
  Problem problem = problem_of_networks(networks, space);
  const Limits limits{question.request};
  PlannedNetwork plan;
  plan.name = scenario.name, plan.scenario = question.scenario;
  plan.gpus = *scenario.workload.gpus;
  plan.space = space;
  problem.levels.front().evaluate = [&](PointId point) {
    Outcome outcome = networks.built(point);
    if (outcome.refused.empty() && !limits.broken_by(outcome.values).empty()) outcome.refused = "it is beyond a limit";
    return outcome;
  };
  Journal journal;
  const LadderOptions options{.threads = question.threads, .keep = 1'000'000, .most_moves = 0};
  plan.search = search_ladder(problem, options, journal, progress);
  for (const TriedPoint& tried : plan.search.ranked) {
    std::vector<std::string> values;
    for (std::size_t axis = 0; axis < space.axes().size(); axis++) values.push_back(space.text(tried.point, axis));
    plan.rows.push_back(row_of_network(tried.by_level.back(), std::move(values), networks.overrides(tried.point), question));
  }
  for (PointId point = 0; point < space.size() && plan.rows.empty(); point++) {
    const Outcome outcome = networks.built(point);
    if (!outcome.refused.empty()) continue;
    const auto broken = limits.broken_by(outcome.values);
    if (broken.size() == 1) count_limit(broken.front().first, broken.front().second, plan.limits);
  }
  if (plan.rows.empty())
    return refusal_of("RY-PLN-005",
                      plan.limits.empty()
                          ? std::string("no network that the catalog can build carries this job within the limits")
                          : "no network is within the limits: " + limit_text(plan.limits.front(), question.request),
                      "raise the limit, or ask for fewer GPUs");
  mark_front(plan.rows);
  choose_network(networks, question.request.loss, question.threads, plan);
  if (scenario.keys.given("fabric.topology")) {
    const Outcome today = networks.played(scenario);
    if (today.refused.empty()) plan.today = row_of_network(today, {"today"}, question.overrides, question);
    if (plan.today) plan.today->one_down_s = networks.one_down(question.overrides);
  }
  plan.growth = growth_text(networks, plan.rows[plan.chosen], plan, question.request.grow);
  return plan;
}

}  // namespace railyard
