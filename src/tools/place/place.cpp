#include "tools/place/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "base/parallel.h"
#include "base/quantity_text.h"
#include "base/read_text.h"
#include "fabric/build.h"
#include "scenario/presets.h"
#include "scheduler/read_nodes.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

constexpr std::uint32_t kLargeJob = 2048;  // ranks: more, and fewer placements are simulated, with one seed
constexpr double kLeastWeight = 0.2;       // of collectives that all run beside compute: they may not any more
constexpr std::size_t kRounds = 2;         // of improving the best that was found

Diagnostic refusal(std::string code, std::string what, std::string hint, SourceSpan where) {
  return {Severity::error, std::move(code), std::move(what), std::move(hint), std::move(where)};
}

/// How much of every kind of collective nothing ran beside.
KindWeights weights_of(const StepRun& run) {
  KindWeights weights;
  weights.fill(kLeastWeight);
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    double exposed = 0, all = 0;
    for (const StageTime& stage : run.stages) {
      exposed += seconds(stage.exposed[kind]);
      all += seconds(stage.exposed[kind]) + seconds(stage.hidden[kind]);
    }
    if (all > 0) weights[kind] = std::max(kLeastWeight, exposed / all);
  }
  return weights;
}

class PlacementFinder {
 public:
  PlacementFinder(const PlaceRequest& request, const Catalog& catalog, Progress& progress)
      : request_(request), catalog_(catalog), progress_(progress) {}

  Result<Placed> find(const ListedNodes& nodes) {
    Result<Scenario> scenario = load();
    if (!scenario) return scenario.error();
    const Result<Fabric> fabric = build_fabric(scenario->fabric, scenario->keys);
    if (!fabric) return fabric.error();
    const Result<Step> step = build_step(scenario->workload, scenario->keys);
    if (!step) return step.error();
    if (Diagnostics refused = take_nodes(nodes, *scenario, *step, *fabric); !refused.empty()) return refused;
    if (Diagnostics refused = load_seeds(*scenario); !refused.empty()) return refused;
    if (Diagnostics refused = begin_journal(); !refused.empty()) return refused;
    progress_.expect((3 + kRounds) * kPartWork);
    const SeatSearch search(*scenario, *step, *fabric, out_.nodes.free);
    play(search.baselines(), "built-in policies");
    if (const TriedSeats& first = out_.tried[out_.scheduler]; !first.refused.empty()) return why_refused(first.plan);
    look(search);
    conclude();
    if (!journal_.is_whole())
      return refusal("RY-SEA-003", "the journal could not be written to its end", "check the disk", {request_.journal, 0, 0});
    return std::move(out_);
  }

 private:
  /// As the request says, over flows.
  Result<Scenario> load() {
    out_.overrides = request_.overrides;
    Result<Scenario> scenario = load_named_scenario(request_.scenario, catalog_, out_.overrides);
    if (!scenario) return scenario;
    if (!scenario->workload.model || scenario->workload.serving)
      return refusal("RY-PLC-012", "only training steps are placed, and this scenario has none",
                     "give it a [model] with [parallel], and no [serving]", {request_.scenario, 0, 0});
    if (!scenario->keys.given("fabric.topology"))
      return refusal("RY-PLC-013", "the scenario has no network that nodes could be placed on",
                     "add [fabric] with topology = \"leaf-spine\" or another", {request_.scenario, 0, 0});
    if (scenario->engine.fidelity != Fidelity::flow) {
      out_.over_flows = true;
      out_.overrides.emplace_back("engine.fidelity=flow");
      scenario = load_named_scenario(request_.scenario, catalog_, out_.overrides);
    }
    return scenario;
  }

  Diagnostics take_nodes(const ListedNodes& nodes, const Scenario& scenario, const Step& step, const Fabric& fabric) {
    Result<MatchedNodes> matched = match_nodes(nodes, fabric);
    if (!matched) return matched.error();
    out_.nodes = std::move(*matched);
    out_.warnings = out_.nodes.warnings;
    out_.name = scenario.name;
    out_.scenario = request_.scenario;
    out_.ranks = step.layout.ranks();
    out_.per_node = fabric.per_node;
    out_.needed = (out_.ranks - 1) / fabric.per_node + 1;
    out_.servers = server_count(fabric);
    std::vector<std::uint32_t>& free = out_.nodes.free;
    const std::uint32_t whole = fabric.endpoints() / fabric.per_node;
    const std::vector<std::uint32_t>& lost = scenario.placement.lost_servers;
    std::erase_if(free, [&](std::uint32_t server) {
      return server >= whole || std::find(lost.begin(), lost.end(), server) != lost.end();
    });
    if (free.size() >= out_.needed) return {};
    return {refusal("RY-PLC-011",
                    fmt::format("the job needs {} nodes, and {} of {} are free", out_.needed, free.size(), nodes.nodes.size()),
                    "free more, or give the job fewer GPUs: cluster.gpus", {nodes.nodes.front().where.file, 0, 0})};
  }

  /// Where switches hash, times are means over some seeds, so that luck is not taken for skill.
  Diagnostics load_seeds(const Scenario& scenario) {
    out_.seeds = seeds_for(scenario, false);
    if (out_.seeds.empty() || out_.ranks > kLargeJob) out_.seeds = {scenario.engine.seed};
    for (const std::uint64_t seed : out_.seeds) {
      Result<Scenario> drawn =
          load_named_scenario(request_.scenario, catalog_, joined(out_.overrides, {fmt::format("engine.seed={}", seed)}));
      if (!drawn) return drawn.error();
      scenarios_.push_back(std::move(*drawn));
    }
    return {};
  }

  Diagnostics begin_journal() {
    const ScenarioText text;
    (void)load_named_scenario(request_.scenario, catalog_, request_.overrides, {}, &text);
    std::vector<std::string> words = joined(out_.overrides, {text.text()});
    return open_seat_journal(request_.crew, request_.journal, words, journal_);
  }

  /// Partitions and anneals, then anneals anew from the best of what was simulated, with what it tells of collectives.
  void look(const SeatSearch& search) {
    const bool is_large = out_.ranks > kLargeJob;
    conclude();
    std::vector<SeatPlan> from = search.starts(out_.winner().weights);
    const std::size_t plain = is_large ? 2 : 4, improved = is_large ? 4 : 6;
    std::vector<SeatPlan> plans(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(std::min(plain, from.size())));
    from.resize(std::min(improved - 1, from.size()));
    from.push_back(out_.tried[out_.scheduler].plan);
    improve(search, from, 1, plans);
    play(std::move(plans), "placements that a search found");
    for (std::size_t round = 0; round < kRounds; round++) {
      conclude();
      std::vector<SeatPlan> again = best_plans(is_large ? 2 : 4), found;
      improve(search, again, 2 + round, found);
      play(std::move(found), "the best of them, improved");
    }
  }

  /// The shortest steps so far whose servers have whole units.
  [[nodiscard]] std::vector<SeatPlan> best_plans(std::size_t count) const {
    std::vector<const TriedSeats*> order;
    for (const TriedSeats& one : out_.tried)
      if (one.refused.empty() && one.same_as.empty() && !one.plan.servers.empty()) order.push_back(&one);
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->step_s < b->step_s; });
    std::vector<SeatPlan> plans;
    for (std::size_t i = 0; i < std::min(count, order.size()); i++) plans.push_back(order[i]->plan);
    return plans;
  }

  void improve(const SeatSearch& search, const std::vector<SeatPlan>& from, std::uint64_t seed, std::vector<SeatPlan>& plans) {
    const std::size_t first = plans.size();
    const KindWeights weights = out_.winner().weights;
    plans.resize(first + from.size());
    for_each_index(from.size(), request_.crew.threads(),
                   [&](std::size_t i) { plans[first + i] = search.improved(from[i], weights, seed * 1000 + i); });
  }

  /// Simulates those that are new, with every seed.
  void play(std::vector<SeatPlan> plans, const std::string& what) {
    const std::size_t first = out_.tried.size(), seeds = scenarios_.size();
    std::vector<std::size_t> fresh;
    for (SeatPlan& plan : plans) {
      const auto [known, is_new] = by_seats_.try_emplace(plan.seats, out_.tried.size());
      if (!is_new && !plan.is_baseline) continue;
      if (is_new) fresh.push_back(out_.tried.size());
      const std::string same = is_new ? "" : out_.tried[known->second].plan.name;
      out_.tried.push_back({.plan = std::move(plan), .same_as = same});
    }
    std::vector<SearchTrial> trials;
    for (const std::size_t one : fresh)
      for (std::size_t seed = 0; seed < seeds; seed++) trials.push_back({seed, point_of_seats(out_.tried[one].plan.seats)});
    Progress part(progress_, kPartWork, what);
    const std::vector<Outcome> outcomes = measure_trials(
        request_.crew, journal_, trials,
        [&](std::size_t i, Progress& one) {
          return outcome_of_seats(simulated(scenarios_[i % seeds], out_.tried[fresh[i / seeds]].plan, one));
        },
        part);
    std::vector<TriedSeats> drawn(outcomes.size());
    for (std::size_t i = 0; i < drawn.size(); i++) take_outcome_of_seats(outcomes[i], drawn[i]);
    for (std::size_t i = 0; i < fresh.size(); i++) adopt({drawn.data() + i * seeds, seeds}, out_.tried[fresh[i]]);
    for (std::size_t i = first; i < out_.tried.size(); i++) copy_same(out_.tried[i]);
  }

  /// In full: journals and other processes tell the sentence alone.
  [[nodiscard]] Diagnostics why_refused(const SeatPlan& plan) const {
    Progress unseen;
    for (const Scenario& scenario : scenarios_)
      if (TriedSeats tried = simulated(scenario, plan, unseen); !tried.refused.empty()) return std::move(tried.refused);
    return {refusal("RY-SEA-002", "this journal refuses what can be simulated", "remove the file", {request_.journal, 0, 0})};
  }

  static TriedSeats simulated(Scenario scenario, const SeatPlan& plan, Progress& progress) {
    scenario.placement = {.policy = PlacementPolicy::file, .seats = plan.seats, .seed = scenario.placement.seed};
    TriedSeats out;
    const Result<Run> run = simulate(scenario, {.threads = 1}, progress);
    if (!run) {
      out.refused = run.error();
      return out;
    }
    out.step_s = seconds(run->training->time);
    out.weights = weights_of(*run->training);
    if (run->training->reach) out.reach = *run->training->reach;
    return out;
  }

  static void adopt(std::span<const TriedSeats> drawn, TriedSeats& out) {
    out.draws = {drawn.front().step_s, drawn.front().step_s};
    out.weights = drawn.front().weights;
    out.reach = drawn.front().reach;
    for (const TriedSeats& one : drawn) {
      if (out.refused.empty()) out.refused = one.refused;
      out.step_s += one.step_s / static_cast<double>(drawn.size());
      out.draws = {std::min(out.draws.least, one.step_s), std::max(out.draws.most, one.step_s)};
    }
  }

  void copy_same(TriedSeats& one) const {
    if (one.same_as.empty()) return;
    const TriedSeats& known = out_.tried[by_seats_.at(one.plan.seats)];
    one.step_s = known.step_s, one.draws = known.draws, one.refused = known.refused;
    one.weights = known.weights, one.reach = known.reach;
  }

  /// Who is best so far. Of equals the first, so a search that finds nothing leaves what the scheduler does.
  void conclude() {
    std::optional<std::size_t> policy;
    for (std::size_t i = 0; i < out_.tried.size(); i++) {
      const TriedSeats& one = out_.tried[i];
      if (!one.refused.empty()) continue;
      if (out_.winner().refused.empty() ? one.step_s < out_.winner().step_s : true) out_.best = i;
      if (i > out_.scheduler && one.plan.is_baseline && (!policy || one.step_s < out_.tried[*policy].step_s)) policy = i;
    }
    out_.policy = policy.value_or(out_.scheduler);
  }

  const PlaceRequest& request_;
  const Catalog& catalog_;
  Progress& progress_;
  std::vector<Scenario> scenarios_;  // by seed
  std::map<std::vector<std::uint32_t>, std::size_t> by_seats_;
  Journal journal_;
  Placed out_;
};

}  // namespace

Result<ListedNodes> read_node_files(const std::vector<std::string>& files) {
  constexpr std::size_t kLargest = std::size_t{64} << 20;
  std::vector<ListedNodes> lists;
  Diagnostics errors;
  for (const std::string& file : files) {
    const auto text = read_text(file, kLargest);
    if (!text) {
      errors.push_back(refusal("RY-PLC-001",
                               text.error() == ReadProblem::folder ? "this is a folder"
                               : text.error() == ReadProblem::too_large
                                   ? "this file is larger than " + size_limit_text(kLargest)
                                   : "this file cannot be read",
                               "name a file that tells which nodes are free", {file, 0, 0}));
      continue;
    }
    Result<ListedNodes> list = read_nodes(*text, file);
    if (list)
      lists.push_back(std::move(*list));
    else
      errors.insert(errors.end(), list.error().begin(), list.error().end());
  }
  if (!errors.empty()) return errors;
  return merge_nodes(lists);
}

Result<Placed> find_placement(const PlaceRequest& request, const ListedNodes& nodes, const Catalog& catalog,
                              Progress& progress) {
  return PlacementFinder(request, catalog, progress).find(nodes);
}

Result<Placed> find_placement(const PlaceRequest& request, const Catalog& catalog, Progress& progress) {
  const Result<ListedNodes> nodes = read_node_files(request.nodes);
  if (!nodes) return nodes.error();
  return find_placement(request, *nodes, catalog, progress);
}

}  // namespace railyard
