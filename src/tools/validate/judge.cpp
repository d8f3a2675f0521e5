#include "tools/validate/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "answer/recorded_accuracy.h"
#include "base/nearest.h"
#include "base/quantity_text.h"
#include "expected/spread.h"

namespace railyard {

namespace {

std::string in_gbs(double bytes_per_second) { return fmt::format("{:.3g} GB/s", bytes_per_second / 1e9); }

/// Folders and the file's name without its ending, from the root on.
std::vector<std::string> parts_of(const std::string& file) {
  std::vector<std::string> parts;
  for (const auto& part : std::filesystem::path(file)) parts.push_back(part.string());
  return parts;
}

const FailureTest* failure_of(const std::string& file, const ValidationCluster& cluster) {
  for (const std::string& part : parts_of(file))
    for (const FailureTest& failure : cluster.failures)
      if (part == failure.id) return &failure;
  return nullptr;
}

class Judge {
 public:
  Judge(const JudgeRequest& request, const Measurements& measured, const Catalog& catalog, const Scenario& scenario,
        const ValidationCluster& cluster, Progress& progress)
      : request_(request),
        measured_(measured),
        catalog_(catalog),
        scenario_(scenario),
        cluster_(cluster),
        progress_(progress) {}

  ValidationJudgement run() {
    check_setup(measured_, cluster_, checks_);
    check_perftest(measured_, cluster_, checks_);
    curves();
    steps();
    check_counters(measured_, cluster_, checks_);
    out_.name = cluster_.name;
    out_.skipped = measured_.skipped;
    out_.unknown_files = measured_.unknown_files;
    gather();
    conclude();
    return std::move(out_);
  }

 private:
  void curves() {
    curves_ = curves_of(measured_, scenario_, out_.unknown);
    std::vector<double> ratios;
    for (const Curve& curve : curves_) ratios.push_back(judge(curve));
    outliers_ = odd_ones(measured_, curves_, ratios);
  }

  /// Returns what was measured over what was expected; 0 where that is not known.
  double judge(const Curve& curve) {
    ValidationPhase phase = phase_of_file(curve.file, phase_of(curve.kind, curve.nodes));
    const FailureTest* failure = failure_of(curve.file, cluster_);
    if (failure) phase = ValidationPhase::failures;
    AcceptanceCheck check{phase, name_of(curve) + (failure ? ", " + failure->id : ""), {}, {}, {}, true, {}, {}};
    if (!curve.points.empty()) check.where = curve.points.front().where;
    Progress part(progress_, 0);
    const Result<PredictedTimes> times =
        predict(request_.scenario, catalog_, scenario_, {curve}, failure ? failure->set : std::vector<std::string>{}, part);
    const JudgedCurve judged = judged_curve(curve, times ? times->front() : std::vector<double>{});
    if (curve.wrong > 0) {
      check.passes = false;
      check.reason =
          fmt::format("{} values came out wrong: data is corrupted, and that comes before every bandwidth", curve.wrong);
    }
    if (judged.ratio > 0)
      compare(judged, check);
    else if (curve.wrong == 0)
      return 0;  // nothing can be said
    checks_.push_back(std::move(check));
    return failure ? 0 : judged.ratio;  // a failure makes no outlier
  }

  void compare(const JudgedCurve& judged, AcceptanceCheck& check) const {
    const CurvePoint& last = judged.curve.points.back();
    const double expected = last.bus_bandwidth * last.time_s / judged.expected.back();
    check.measured = fmt::format("{} at {}", in_gbs(last.bus_bandwidth), format(last.size));
    check.expected = in_gbs(expected);
    check.needed = fmt::format("≥ {}", in_gbs(expected * judged.least));
    if (!judged.is_slow) return;
    check.passes = false;
    const std::string slow = fmt::format("it does {:.0f} % of what this fabric allows, and {:.0f} % is the least",
                                         judged.ratio * 100, judged.least * 100);
    check.reason = check.reason.empty() ? slow : check.reason + "; " + slow;
  }

  void steps() {
    for (const JudgedSteps& log : judged_steps(measured_, scenario_, progress_)) {
      if (!log.expected_s) continue;
      const auto& model = *scenario_.workload.model;
      const double most = *log.expected_s * (1 + recorded_accuracy(model.experts > 0, scenario_.engine.fidelity).p90);
      AcceptanceCheck check{phase_of_file(log.file, ValidationPhase::ai_workload),
                            fmt::format("{} steps of {}", log.steps, log.framework),
                            fmt::format("{:.3f} s", log.median_s),
                            fmt::format("{:.3f} s", *log.expected_s),
                            fmt::format("≤ {:.3f} s", most),
                            log.median_s <= most,
                            {},
                            {log.file, 0, 0}};
      if (!check.passes)
        check.reason = fmt::format("the median step takes {:.2f} times as long as expected", log.median_s / *log.expected_s);
      checks_.push_back(std::move(check));
    }
  }

  /// The phases that were asked for, with what belongs to each.
  void gather() {
    for (std::size_t i = 0; i < kValidationPhases; i++) {
      const auto phase = static_cast<ValidationPhase>(i);
      const bool asked = request_.phases.empty() ||
                         std::find(request_.phases.begin(), request_.phases.end(), name_of(phase)) != request_.phases.end();
      if (!asked) continue;
      JudgedPhase one{phase, Acceptance::not_measured, {}, {}, {}, {}};
      one.missing = missing_tests(phase, measured_, curves_, cluster_, scenario_.workload.model.has_value());
      for (const AcceptanceCheck& check : checks_)
        if (check.phase == phase) one.checks.push_back(check);
      for (const Outlier& outlier : outliers_)
        if (phase_of_file(outlier.where.file, phase_of_outlier(outlier)) == phase) one.outliers.push_back(outlier);
      decide(one);
      out_.phases.push_back(std::move(one));
    }
  }

  static ValidationPhase phase_of_outlier(const Outlier& outlier) {
    if (outlier.what == "NIC") return ValidationPhase::baseline;
    return outlier.what == "port" ? ValidationPhase::operational : ValidationPhase::ai_workload;
  }

  static void decide(JudgedPhase& one) {
    if (one.checks.empty()) {
      one.reason = "no file says anything of it";
      return;
    }
    const auto failed = std::count_if(one.checks.begin(), one.checks.end(), [](const AcceptanceCheck& c) { return !c.passes; });
    one.outcome = failed > 0 ? Acceptance::fail : Acceptance::pass;
    const auto first = std::find_if(one.checks.begin(), one.checks.end(), [](const AcceptanceCheck& c) { return !c.passes; });
    one.reason = failed > 0
                     ? fmt::format("{} of {} checks fail; first {}: {}", failed, one.checks.size(), first->what, first->reason)
                 : one.checks.size() == 1 ? "one check passes"
                                          : fmt::format("{} checks, all pass", one.checks.size());
  }

  void conclude() {
    std::vector<std::string> names[3];
    for (const JudgedPhase& one : out_.phases)
      names[static_cast<std::size_t>(one.outcome)].emplace_back(text_of(one.phase).title);
    const auto& [passed, failed, open] = names;
    out_.outcome = !failed.empty() ? Acceptance::fail : open.empty() ? Acceptance::pass : Acceptance::not_measured;
    if (!failed.empty())
      out_.answer.push_back(
          fmt::format("Not accepted: {} of {} phases fail ({}).", failed.size(), out_.phases.size(), fmt::join(failed, ", ")));
    else if (open.empty())
      out_.answer.push_back(fmt::format("Accepted: all {} phases pass.", out_.phases.size()));
    else
      out_.answer.push_back(
          fmt::format("Not finished: {} of {} phases pass and none fails.", passed.size(), out_.phases.size()));
    for (const JudgedPhase& one : out_.phases)
      if (one.outcome == Acceptance::fail) out_.answer.push_back(fmt::format("{}: {}.", text_of(one.phase).title, one.reason));
    if (!open.empty()) out_.answer.push_back(fmt::format("Not measured: {}.", fmt::join(open, ", ")));
  }

  const JudgeRequest& request_;
  const Measurements& measured_;
  const Catalog& catalog_;
  const Scenario& scenario_;
  const ValidationCluster& cluster_;
  Progress& progress_;
  std::vector<AcceptanceCheck> checks_;
  std::vector<Curve> curves_;
  std::vector<Outlier> outliers_;
  ValidationJudgement out_;
};

Diagnostics unknown_phases(const std::vector<std::string>& asked) {
  const std::vector<std::string> names(std::begin(ChoiceNames<ValidationPhase>::names),
                                       std::end(ChoiceNames<ValidationPhase>::names));
  Diagnostics errors;
  for (const std::string& name : asked) {
    if (phase_named(name)) continue;
    const std::string guess = nearest(name, names);
    errors.push_back(
        {Severity::error,
         "RY-VAL-001",
         fmt::format("there is no phase called '{}'", name),
         guess.empty() ? fmt::format("use one of {}", fmt::join(names, ", ")) : fmt::format("did you mean '{}'?", guess),
         {"--phase", 0, 0}});
  }
  return errors;
}

}  // namespace

ValidationPhase phase_of_file(const std::string& file, ValidationPhase otherwise) {
  for (const std::string& part : parts_of(file))
    if (const auto phase = phase_named(part)) return *phase;
  return otherwise;
}

Result<ValidationJudgement> judge_validation(const JudgeRequest& request, const Measurements& measured, const Catalog& catalog,
                                             Progress& progress) {
  if (Diagnostics errors = unknown_phases(request.phases); !errors.empty()) return errors;
  Scenario scenario;
  const Result<ValidationCluster> cluster = described_cluster(request.scenario, catalog, scenario);
  if (!cluster) return cluster.error();
  ValidationJudgement out = Judge(request, measured, catalog, scenario, *cluster, progress).run();
  const bool any = std::any_of(out.phases.begin(), out.phases.end(), [](const JudgedPhase& p) { return !p.checks.empty(); });
  if (any) return out;
  return Diagnostic{Severity::error,
                    "RY-VAL-003",
                    measured.empty() ? "the logs hold no measurement" : "the logs hold nothing that these phases are judged by",
                    "give the output of nccl-tests, rccl-tests or perftest, counters or training logs (docs/measured.md)",
                    {}};
}

}  // namespace railyard
