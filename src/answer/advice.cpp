#include "answer/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answer/levers.h"
#include "base/parallel.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

/// About half a second of one core each.
constexpr std::uint64_t kQuickFlows = 100'000'000, kQuickHops = 5'000'000, kQuickNodes = 100'000;

/// Collectives by how many take part; closed forms count no work.
constexpr std::uint32_t kQuickPairs = 64, kQuickRanks = 256;

/// Several are run at once.
constexpr Bytes kQuickMemory = 256_MiB;

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }
std::string time_text(double s) { return format(from_seconds(s)); }

/// A difference between two runs of one model is surer than either of them, but not below a third of its error.
std::string confidence_of(const Advice& a, double resolves) {
  const double moved = std::abs(a.gain);
  if (a.cheaper) return -a.gain < resolves / 3 ? "medium: no loss that this model resolves" : "low: a small loss is likely";
  if (moved >= resolves) return "high: more than the usual error of such predictions";
  if (moved >= resolves / 3) return "medium: less than the usual error of such predictions, most of which both runs share";
  return "low: too small to rely on";
}

std::string text_of(const Baseline& before, const Advice& a) {
  const std::string times = fmt::format("{} → {}", time_text(a.before_s), time_text(a.after_s));
  const std::string loss = a.gain >= kWorthSaying   ? "gains " + percent(a.gain)
                           : a.gain > -kWorthSaying ? "costs nothing"
                                                    : "costs " + percent(-a.gain);
  if (a.cheaper)
    return fmt::format("{}: {} would do. It {} ({}).{}", before.label, a.change, loss, times,
                       a.cost.empty() ? std::string() : fmt::format(" Parts: {}.", a.cost));
  if (a.keeps)
    return fmt::format("{}: keep it as it is. To {} costs {} ({}).", before.label, a.change,
                       percent(a.after_s / a.before_s - 1), times);
  return fmt::format("{}: {}. It gains {} ({}).{}", before.label, a.change, percent(a.gain), times,
                     a.cost.empty() ? std::string() : fmt::format(" It takes {}.", a.cost));
}

/// Whether everybody sends to everybody.
bool has_pairs(const Results& results) {
  return results.collective == "all_to_all" || results.points.back().algorithm == "direct";
}

/// Whether a run is `part` times less than what is quick to repeat.
bool is_within_reach(const Results& results, std::uint32_t part) {
  const auto few = [&](const Telemetry::Solving& s) { return s.changes * s.most_active <= kQuickFlows / part; };
  if (results.slice || results.memory > kQuickMemory) return false;
  if (results.packets) return results.packets->packets.hops <= kQuickHops / part;
  if (results.network) return few(results.network->solving);
  if (results.step) return true;
  if (!results.traffic) return results.ranks <= (has_pairs(results) ? kQuickPairs : kQuickRanks) / part;
  if (results.trace && results.trace->nodes > kQuickNodes / part) return false;
  if (results.traffic->packets) return results.traffic->packets->hops <= kQuickHops / part;
  return !results.traffic->solving || few(*results.traffic->solving);
}

/// What is luck, or too little.
bool is_left_out(const Advice& a) {
  const double least = a.of == ChangeOf::hardware && !a.keeps ? kWorthBuying : kWorthSaying;
  return a.is_luck || (!a.cheaper && std::abs(a.of_step) < least);
}

/// Helps, cheaper, keep.
int group_of(const Advice& a) { return a.keeps ? 2 : a.cheaper ? 1 : 0; }

}  // namespace

Advice advice_of(const Baseline& before, const Trial& trial) {
  Advice a{.run = before.run,
           .kind = trial.kind,
           .change = trial.change,
           .command = trial.command,
           .set = trial.set,
           .of = trial.of,
           .metric = before.metric,
           .before_s = before.time_s,
           .after_s = trial.step_s,
           .gain = before.time_s / trial.step_s - 1,
           .of_step = before.time_s / trial.step_s - 1};
  const bool drawn = before.draws.most > before.draws.least || trial.draws.most > trial.draws.least;
  const bool no_worse = !drawn || trial.draws.most <= before.draws.most * (1 + kWithoutLoss);
  a.cheaper = trial.of == ChangeOf::less_hardware && a.gain >= -kWithoutLoss && no_worse;
  a.keeps = !a.cheaper && trial.step_s > before.time_s;
  a.is_luck = drawn && !a.cheaper && trial.draws.least <= before.draws.most * (1 + kWithoutLoss) &&
              before.draws.least <= trial.draws.most * (1 + kWithoutLoss);
  if (before.hardware && trial.hardware) a.cost = cost_of_change(*before.hardware, *trial.hardware);
  a.confidence = confidence_of(a, before.resolves);
  a.text = text_of(before, a);
  return a;
}

std::string gain_of(const Advice& a) {
  const double percents = a.of_step * 100;
  if (std::abs(percents) < 0.05) return "0.0 %";
  return a.of_step != a.gain && percents > 0 ? fmt::format("≥ {:.1f} %", percents) : fmt::format("{:+.1f} %", percents);
}

void rank(std::vector<Advice>& advice) {
  std::erase_if(advice, is_left_out);
  std::stable_sort(advice.begin(), advice.end(), [](const Advice& a, const Advice& b) {
    if (group_of(a) != group_of(b)) return group_of(a) < group_of(b);
    return std::abs(a.of_step) > std::abs(b.of_step);
  });
}

bool is_quick_to_repeat(const Results& results) { return is_within_reach(results, 1); }
bool is_small(const Results& results) { return is_within_reach(results, 20); }

std::vector<Advice> advise(const Question& question, const Scenario& scenario, Baseline& before, const Catalog& catalog,
                           unsigned threads, Progress& progress, std::vector<std::string>& without_effect) {
  std::vector<Trial> trials = levers_for(scenario, catalog);
  trials.insert(trials.begin(), {.kind = "as it is", .change = {}, .set = {}});
  progress.expect(trials.size() * kPartWork);
  for_each_index(trials.size(), threads, [&](std::size_t i) {
    Progress part(progress, kPartWork, "trying " + trials[i].kind);
    try_out(question, catalog, trials[i], part);
  });
  if (trials.front().step_s > 0) before.time_s = trials.front().step_s, before.draws = trials.front().draws;
  trials.erase(trials.begin());
  std::vector<Advice> advice;
  for (const Trial& trial : trials)
    if (trial.step_s > 0) advice.push_back(advice_of(before, trial));
  for (const Advice& a : advice)
    if (is_left_out(a)) without_effect.push_back(a.change);
  rank(advice);
  return advice;
}

}  // namespace railyard
