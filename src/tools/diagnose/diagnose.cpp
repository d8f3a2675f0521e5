#include "tools/diagnose/diagnose.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/presets.h"

namespace railyard {

namespace {

constexpr double kSure = 0.5;  // of the scores, for a plain yes or no

/// The scenario as the user wrote it; what it runs itself does not matter here.
Result<Scenario> base_scenario(const ExpectationRequest& request, const Catalog& catalog) {
  return load_named_scenario(request.scenario, catalog, request.overrides, {.workload = false});
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

constexpr double kSettled = 0.95;  // of the scores, for a first cause that needs no further look

/// Two causes at once, where something is slow and one alone is not enough.
std::optional<CausePair> pair_of(const ExpectationRequest& request, const Catalog& catalog, const Scenario& scenario,
                                 const std::vector<Curve>& curves, const CausePredictions& predictions,
                                 const ClusterFacts& facts, const Diagnosis& out) {
  const bool any = std::any_of(out.curves.begin(), out.curves.end(), [](const JudgedCurve& one) { return one.is_slow; });
  if (!any) return std::nullopt;
  return best_pair(curves, predictions, facts, out.causes, [&](const std::vector<std::string>& set) {
    Progress ignored;
    const Result<PredictedTimes> times = predict(request, catalog, scenario, curves, set, ignored);
    return times ? std::optional(*times) : std::nullopt;
  });
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
      out.curves.push_back(judged_curve(curves[i], (*expected)[i]));
      ratios[i] = out.curves.back().ratio;
      out.wrong += curves[i].wrong;
    }
    predictions = predict_causes(request, catalog, *scenario, curves, facts, progress);
  }
  out.odd = odd_ones(measured, curves, ratios);
  out.causes = rank_causes(curves, predictions, facts, evidence_of({measured, estate, facts, out.odd}));
  if (!curves.empty()) out.pair = pair_of(request, catalog, *scenario, curves, predictions, facts, out);
  if (out.causes.size() > 1 && out.causes.front().score < kSettled)
    out.next =
        next_measurement({request, catalog, *scenario, facts, out.curves, measured, estate}, out.causes[0], out.causes[1]);
  out.steps = judged_steps(measured, *scenario, progress);
  conclude(out);
  out.answer = diagnosis_answer(out);
  return out;
}

}  // namespace railyard
