#include "tools/diagnose/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/presets.h"
#include "sim/simulate.h"

#include "expected/median.h"

namespace railyard {

namespace {

constexpr Bytes kLevel = 64_MiB;  // from here on bandwidth levels off
constexpr double kSure = 0.5;     // of the scores, for a plain yes or no

/// Measured over expected bandwidth where it levels off, or at the largest size where nothing is that large.
JudgedCurve judged(const Curve& curve, const std::vector<double>& expected) {
  JudgedCurve out{.curve = curve, .expected = expected};
  if (expected.empty()) return out;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < curve.points.size(); i++)
    if (curve.points[i].size >= kLevel || i + 1 == curve.points.size()) ratios.push_back(expected[i] / curve.points[i].time_s);
  out.ratio = median_of(ratios);
  const double off = 2 * std::hypot(kCommonSpread, own_spread(curve.points.back().size, 1));
  out.is_slow = out.ratio < std::exp(-off);
  out.is_fast = out.ratio > std::exp(off);
  return out;
}

/// The scenario as the user wrote it; what it runs itself does not matter here.
Result<Scenario> base_scenario(const ExpectationRequest& request, const Catalog& catalog) {
  return load_named_scenario(request.scenario, catalog, request.overrides, {.workload = false});
}

std::optional<double> step_of(const Scenario& scenario, Progress& progress) {
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
  const std::optional<double> expected = step_of(scenario, progress);
  for (JudgedSteps& one : all) one.expected_s = expected;
  return all;
}

/// Whose fault it is, by the sums of scores.
void conclude(Diagnosis& out) {
  for (const RankedCause& one : out.causes) {
    if (one.cause->in == CauseIn::network) out.in_network += one.score;
    if (one.cause->in == CauseIn::server) out.in_server += one.score;
    if (one.cause->in == CauseIn::job) out.in_job += one.score;
    if (one.cause->in == CauseIn::nothing) out.healthy += one.score;
  }
  if (out.in_network >= kSure)
    out.by_network = Degraded::yes;
  else if (out.healthy >= kSure || out.in_server + out.in_job >= kSure)
    out.by_network = Degraded::no;
}

Diagnostic nothing_measured() {
  return {Severity::error,
          "RY-DGN-001",
          "the files hold no measurement that can be compared with the scenario",
          "give the output of nccl-tests or rccl-tests, or a log with NCCL_DEBUG=INFO (docs/measured.md)",
          {}};
}

}  // namespace

Result<Diagnosis> diagnose(const ExpectationRequest& request, const Measurements& measured, const Estate& estate,
                           const Catalog& catalog, Progress& progress) {
  const Result<Scenario> scenario = base_scenario(request, catalog);
  if (!scenario) return scenario.error();
  if (measured.empty()) return nothing_measured();
  Diagnosis out;
  out.name = scenario->name;
  out.skipped = measured.skipped;
  out.unknown_files = measured.unknown_files;
  const std::vector<Curve> curves = curves_of(measured, *scenario, out.unknown);
  const ClusterFacts facts = facts_of(*scenario, catalog, curves);

  CausePredictions predictions;
  std::vector<double> ratios(curves.size(), 0);
  if (!curves.empty()) {
    Progress first(progress, 0);
    const Result<PredictedTimes> expected = predict(request, catalog, *scenario, curves, {}, first);
    if (!expected) return expected.error();
    for (std::size_t i = 0; i < curves.size(); i++) {
      out.curves.push_back(judged(curves[i], (*expected)[i]));
      ratios[i] = out.curves.back().ratio;
      out.wrong += curves[i].wrong;
    }
    predictions = predict_causes(request, catalog, *scenario, curves, facts, progress);
  }
  out.odd = odd_ones(measured, curves, ratios);
  out.causes = rank_causes(curves, predictions, facts, evidence_of({measured, estate, facts, out.odd}));
  out.steps = judged_steps(measured, *scenario, progress);
  conclude(out);
  out.answer = diagnosis_answer(out);
  return out;
}

}  // namespace railyard
