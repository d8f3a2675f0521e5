#include "expected/judged.h"

#include <algorithm>

#include "expected/median.h"
#include "expected/spread.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

constexpr Bytes kLevel = 64_MiB;  // from here on bandwidth levels off

}  // namespace

JudgedCurve judged_curve(const Curve& curve, const std::vector<double>& expected) {
  JudgedCurve out{.curve = curve, .expected = expected};
  if (expected.empty()) return out;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < curve.points.size(); i++)
    if (curve.points[i].size >= kLevel || i + 1 == curve.points.size()) ratios.push_back(expected[i] / curve.points[i].time_s);
  out.ratio = median_of(ratios);
  out.least = least_share(curve.points.back().size, 1);
  out.is_slow = out.ratio < out.least;
  out.is_fast = out.ratio > 1 / out.least;
  return out;
}

std::optional<double> expected_step(const Scenario& scenario, Progress& progress) {
  if (!scenario.workload.model) return std::nullopt;
  const Result<Run> run = simulate(scenario, {.threads = 1}, progress);
  if (!run || !run->training) return std::nullopt;
  return seconds(run->training->time);
}

std::vector<JudgedSteps> judged_steps(const Measurements& measured, const Scenario& scenario, Progress& progress) {
  std::vector<JudgedSteps> all;
  for (const TrainingLog& log : measured.trainings) {
    std::vector<double> times;
    for (const LoggedStep& step : log.steps)
      if (step.seconds > 0) times.push_back(step.seconds);
    if (times.empty()) continue;
    std::sort(times.begin(), times.end());
    all.push_back({log.where.file, log.framework, times.size(), times[times.size() / 2], times[times.size() * 95 / 100], {}});
  }
  if (all.empty()) return all;
  const std::optional<double> expected = expected_step(scenario, progress);
  for (JudgedSteps& one : all) one.expected_s = expected;
  return all;
}

}  // namespace railyard
