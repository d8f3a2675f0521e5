#include "tools/compare/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"
#include "tools/compare/figures.h"

namespace railyard {

namespace {

/// A collective or a slice was played, not the step.
constexpr const char* kOfCollective = "medium: of a collective, and what the step would save of its wait for it";

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }
std::string time_text(double s) { return format(from_seconds(s)); }

/// A collective is not a step. Of what nothing runs beside the step saves as much as the collective does, or more: what is
/// hidden stays hidden. What compute gains where less runs beside it comes on top.
double step_gain(const ComparedRun& run, double before_s, double after_s) {
  const double step = step_of(run).step_time_s, exposed = step_of(run).breakdown.exposed.data;
  return step / (step - exposed * (1 - after_s / before_s)) - 1;
}

Advice of_reduction(const ComparedRun& run, const ReductionTrial& trial) {
  Advice a{.run = run.id,
           .kind = "in-network reduction",
           .change = "let switches add up gradients",
           .command = trial.in_network_command,
           .set = {},
           .of = ChangeOf::setting,
           .metric = trial.what,
           .before_s = trial.ring_s,
           .after_s = trial.in_network_s,
           .gain = trial.ring_s / trial.in_network_s - 1,
           .of_step = step_gain(run, trial.ring_s, trial.in_network_s),
           .keeps = trial.in_network_s > trial.ring_s,
           .cheaper = false,
           .confidence = kOfCollective};
  a.text = fmt::format(
      "{}: let switches add up gradients. An {} takes {} instead of {} ({:.2f} times as fast; half of the bytes is all it can "
      "save). Of "
      "the {} that the step waits for gradients and parameters with nothing beside them that is {} of the step; what compute "
      "gains "
      "where less runs beside it comes on top.",
      run.label, trial.what, time_text(trial.in_network_s), time_text(trial.ring_s), a.gain + 1,
      time_text(step_of(run).breakdown.exposed.data), percent(a.of_step));
  return a;
}

/// A collective ends with its slowest receiver; times are what a gibibyte would take it.
Advice of_slice(const ComparedRun& run, const SliceTrial& base, const SliceTrial& trial) {
  const auto gibibyte = [](double gbps) { return 8.0 * (1 << 30) / (gbps * 1e9); };
  const double before = gibibyte(base.slowest_gbps), after = gibibyte(trial.slowest_gbps);
  Advice a{.run = run.id,
           .kind = trial.kind,
           .change = trial.change,
           .command = trial.command,
           .set = trial.set,
           .of = ChangeOf::setting,
           .metric = "1 GiB at the slowest receiver's rate, packet by packet",
           .before_s = before,
           .after_s = after,
           .gain = before / after - 1,
           .of_step = step_gain(run, before, after),
           .keeps = after > before,
           .cheaper = false,
           .confidence = kOfCollective};
  const std::string rates =
      fmt::format("the slowest receiver goes from {:.0f} to {:.0f} Gb/s", base.slowest_gbps, trial.slowest_gbps);
  a.text = fmt::format("{}: {}{}; {}.", run.label, a.keeps ? "keep it as it is, and do not " : "", trial.change, rates);
  return a;
}

/// What nobody is told to do: without DCQCN others pay (answer/levers.cpp).
bool gives_up_control(const SliceTrial& trial) {
  return std::find(trial.set.begin(), trial.set.end(), "transport.dcqcn.enabled=false") != trial.set.end();
}

}  // namespace

std::vector<Advice> ranked_advice(const std::vector<ComparedRun>& runs) {
  std::vector<Advice> all;
  for (const ComparedRun& run : runs) {
    const Baseline before = baseline_of(run.scenario, run.analysed, run.id, run.label);
    for (const Trial& trial : run.trials)
      if (trial.is_advice && trial.step_s > 0) all.push_back(advice_of(before, trial));
    for (const SliceTrial& trial : run.slices)
      if (!trial.change.empty() && trial.slowest_gbps > 0 && run.slices.front().slowest_gbps > 0)
        if (Advice a = of_slice(run, run.slices.front(), trial); a.keeps || !gives_up_control(trial))
          all.push_back(std::move(a));
    if (run.reduction && run.reduction->in_network_s > 0) all.push_back(of_reduction(run, *run.reduction));
  }
  rank(all);
  return all;
}

std::vector<std::string> without_effect(const std::vector<ComparedRun>& runs, const std::vector<Advice>& told) {
  std::vector<std::string> out;
  const auto is_told = [&](const std::string& run, const std::string& change) {
    return std::any_of(told.begin(), told.end(), [&](const Advice& a) { return a.run == run && a.change == change; });
  };
  const auto is_kind_told = [&](const std::string& run, const std::string& kind) {
    return std::any_of(told.begin(), told.end(), [&](const Advice& a) { return a.run == run && a.kind == kind; });
  };
  const auto add = [&](const ComparedRun& run, const std::string& kind, const std::string& change, const std::string& refused) {
    if (!is_told(run.id, change) && refused.empty())
      out.push_back(fmt::format("{}, {}", run.id, is_kind_told(run.id, kind) ? change : kind));
  };
  for (const ComparedRun& run : runs) {
    for (const Trial& trial : run.trials)
      if (trial.is_advice) add(run, trial.kind, trial.change, trial.refused);
    for (const SliceTrial& trial : run.slices)
      if (!trial.change.empty()) add(run, trial.kind, trial.change, trial.refused);
    if (run.reduction) add(run, "in-network reduction", "let switches add up gradients", run.reduction->refused);
  }
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace railyard
