// `railyard validate judge`: what was measured on a new cluster, phase by phase: pass, fail or not measured, and why.
#pragma once

#include <string>
#include <vector>

#include "base/document.h"
#include "expected/judged.h"
#include "expected/odd.h"
#include "measured/measured.h"
#include "report/report.h"
#include "tools/validate/expectations.h"

namespace railyard {

enum class Acceptance : std::uint8_t { pass, fail, not_measured };
template<>
struct ChoiceNames<Acceptance> {
  static constexpr std::string_view names[] = {"pass", "fail", "not measured"};
};

/// One thing that was looked at.
struct AcceptanceCheck {
  ValidationPhase phase = ValidationPhase::baseline;
  std::string what;                        // "all_reduce over 16 ranks in 2 nodes"
  std::string measured, expected, needed;  // with units
  bool passes = true;
  std::string reason;  // a sentence; empty where it passes and nothing is to be said
  SourceSpan where;
};

struct JudgedPhase {
  ValidationPhase phase = ValidationPhase::laboratory;
  Acceptance outcome = Acceptance::not_measured;
  std::string reason;
  std::vector<AcceptanceCheck> checks;
  std::vector<Outlier> outliers;
  std::vector<std::string> missing;  // tests of the plan that no file has
};

struct ValidationJudgement {
  std::string name;
  Acceptance outcome = Acceptance::not_measured;  // pass: every phase does
  std::vector<std::string> answer;                // sentences, the first says it all
  std::vector<JudgedPhase> phases;
  std::vector<SkippedText> skipped;
  std::vector<std::string> unknown_files, unknown;  // that no reader knows; collectives that are not modelled
};

struct JudgeRequest {
  ExpectationRequest scenario;
  std::vector<std::string> phases;  // by name; none: all
};

/// RY-VAL-001 for a phase that is none, RY-VAL-003 where the logs hold nothing that can be judged.
Result<ValidationJudgement> judge_validation(const JudgeRequest& request, const Measurements& measured, const Catalog& catalog,
                                             Progress& progress);

/// The phase whose name a folder of the file's path has, or `otherwise`.
[[nodiscard]] ValidationPhase phase_of_file(const std::string& file, ValidationPhase otherwise);

// Parts of judge_validation(): each adds what its measurements say.
void check_setup(const Measurements& measured, const ValidationCluster& cluster, std::vector<AcceptanceCheck>& out);
void check_perftest(const Measurements& measured, const ValidationCluster& cluster, std::vector<AcceptanceCheck>& out);
void check_counters(const Measurements& measured, const ValidationCluster& cluster, std::vector<AcceptanceCheck>& out);

/// Tests of the plan's phase that were not measured: "alltoall over 32 ranks in 4 nodes".
[[nodiscard]] std::vector<std::string> missing_tests(ValidationPhase phase, const Measurements& measured,
                                                     const std::vector<Curve>& curves, const ValidationCluster& cluster,
                                                     bool has_model);

[[nodiscard]] Report judgement_report(const ValidationJudgement& judgement);
[[nodiscard]] Document judgement_document(const ValidationJudgement& judgement);
/// JUnit XML: a suite for every phase, a case for every check.
[[nodiscard]] std::string judgement_junit(const ValidationJudgement& judgement);

}  // namespace railyard
