#include "tools/compare/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"

namespace railyard {

namespace {

constexpr double kWorthSaying = 0.0005;

double number_at(const Document& results, std::string_view path) {
  double storage = 0;
  const Document* const value = results.at_path(path);
  const double* const number = value ? value->number(storage) : nullptr;
  return number ? *number : 0;
}

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }
std::string time_text(double s) { return format(from_seconds(s)); }

Advice of_trial(const ComparedRun& run, const Trial& trial) {
  const double before = number_at(run.results, "step_time_s");
  Advice a{.run = run.id,
           .kind = trial.kind,
           .change = trial.change,
           .command = trial.command,
           .set = trial.set,
           .metric = "step",
           .before_s = before,
           .after_s = trial.step_s,
           .gain = before / trial.step_s - 1,
           .of_step = before / trial.step_s - 1,
           .keeps = trial.step_s > before,
           .text = {}};
  const std::string times = fmt::format("{} → {} a step", time_text(before), time_text(trial.step_s));
  a.text = a.keeps ? fmt::format("{}: keep it as it is. To {} costs {} ({}).", run.label, trial.change,
                                 percent(trial.step_s / before - 1), times)
                   : fmt::format("{}: {}. It gains {} ({}).", run.label, trial.change, percent(a.gain), times);
  return a;
}

/// A collective is not a step: what the step could gain at most is what its gradients keep it waiting.
Advice of_reduction(const ComparedRun& run, const ReductionTrial& trial) {
  const double step = number_at(run.results, "step_time_s");
  const double exposed = number_at(run.results, "breakdown.exposed_s.data");
  const double saved = exposed * (1 - trial.in_network_s / trial.ring_s);
  const double gain = trial.ring_s / trial.in_network_s - 1;
  return {
      .run = run.id,
      .kind = "in-network reduction",
      .change = "let switches add up gradients",
      .command = trial.in_network_command,
      .set = {},
      .metric = trial.what,
      .before_s = trial.ring_s,
      .after_s = trial.in_network_s,
      .gain = gain,
      .of_step = step / (step - saved) - 1,
      .keeps = false,
      .text = fmt::format("{}: let switches add up gradients. An {} takes {} instead of {} ({:.2f} times as fast, the whole "
                          "saving is one half of the bytes). The step waits {} for gradients and parameters, so it gains at "
                          "most {}.",
                          run.label, trial.what, time_text(trial.in_network_s), time_text(trial.ring_s), gain + 1,
                          time_text(exposed), percent(step / (step - saved) - 1))};
}

/// Rates of the slowest receiver, as times of one gibibyte: how much longer a collective would take at that rate.
Advice of_slice(const ComparedRun& run, const SliceTrial& base, const SliceTrial& trial) {
  constexpr double kGibibyteBits = 8.0 * (1 << 30);
  const double before = kGibibyteBits / (base.slowest_gbps * 1e9), after = kGibibyteBits / (trial.slowest_gbps * 1e9);
  const double step = number_at(run.results, "step_time_s"), exposed = number_at(run.results, "breakdown.exposed_s.data");
  const double saved = exposed * (1 - after / before);
  const std::string rates = fmt::format("{:.0f} → {:.0f} Gb/s", base.slowest_gbps, trial.slowest_gbps);
  Advice a{.run = run.id,
           .kind = trial.kind,
           .change = trial.change,
           .command = trial.command,
           .set = trial.set,
           .metric = "slowest receiver of a slice, packet by packet",
           .before_s = before,
           .after_s = after,
           .gain = before / after - 1,
           .of_step = step / (step - saved) - 1,
           .keeps = after > before,
           .text = {}};
  a.text = a.keeps ? fmt::format("{}: keep it as it is. To {} slows the slowest receiver of gradients by {} ({}).", run.label,
                                 trial.change, percent(1 - before / after), rates)
                   : fmt::format("{}: {}. The slowest receiver of gradients gains {} ({}); the step at most {}.", run.label,
                                 trial.change, percent(a.gain), rates, percent(a.of_step));
  return a;
}

}  // namespace

std::vector<Advice> ranked_advice(const std::vector<ComparedRun>& runs) {
  std::vector<Advice> all;
  for (const ComparedRun& run : runs) {
    for (const Trial& trial : run.trials)
      if (trial.is_advice && trial.step_s > 0) all.push_back(of_trial(run, trial));
    for (const SliceTrial& trial : run.slices)
      if (!trial.change.empty() && trial.slowest_gbps > 0 && run.slices.front().slowest_gbps > 0)
        all.push_back(of_slice(run, run.slices.front(), trial));
    if (run.reduction && run.reduction->in_network_s > 0) all.push_back(of_reduction(run, *run.reduction));
  }
  const auto too_small = [](const Advice& a) { return std::abs(a.gain) < kWorthSaying; };
  all.erase(std::remove_if(all.begin(), all.end(), too_small), all.end());
  std::stable_sort(all.begin(), all.end(), [](const Advice& a, const Advice& b) {
    return a.keeps != b.keeps ? b.keeps : std::abs(a.of_step) > std::abs(b.of_step);
  });
  return all;
}

}  // namespace railyard
