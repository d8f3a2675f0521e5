// `railyard diagnose`: what was measured against what the cluster should do, and the likeliest causes of the difference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "expected/predict.h"
#include "measured/measured.h"
#include "qos/device.h"
#include "report/report.h"
#include "tools/diagnose/odd.h"
#include "tools/diagnose/score.h"

namespace railyard {

enum class Degraded : std::uint8_t { no, yes, cannot_tell };
template<>
struct ChoiceNames<Degraded> {
  static constexpr std::string_view names[] = {"no", "yes", "cannot tell"};
};

/// One curve beside what is expected of it.
struct JudgedCurve {
  Curve curve;
  std::vector<double> expected;  // seconds, by point; empty where it cannot be predicted
  double ratio = 0;              // measured over expected bandwidth where large buffers level off; 0: not known
  bool is_slow = false;          // below what predictions may be off by
  bool is_fast = false;          // above it: the scenario does not describe this cluster
};

/// Steps of a training log beside the scenario's.
struct JudgedSteps {
  std::string file, framework;
  std::size_t steps = 0;
  double median_s = 0, p95_s = 0;
  std::optional<double> expected_s;  // of a scenario with a model
};

/// A sentence, and what it is about: wrong, measured, cause, whose, fix or check.
struct AnswerSentence {
  std::string_view about;
  std::string text;
};

struct Diagnosis {
  std::string name;  // of the scenario
  std::vector<JudgedCurve> curves;
  std::vector<JudgedSteps> steps;
  std::vector<RankedCause> causes;  // the likeliest first
  std::vector<Outlier> odd;
  Degraded by_network = Degraded::cannot_tell;
  double in_network = 0, in_server = 0, in_job = 0, healthy = 0;  // sums of scores
  std::uint64_t wrong = 0;                                        // values that came out wrong
  std::vector<AnswerSentence> answer;                             // the first says it all
  std::vector<std::string> unknown;                               // collectives that cannot be predicted
  std::vector<SkippedText> skipped;
  std::vector<std::string> unknown_files;
};

/// RY-DGN-001 where nothing was measured that can be compared and nothing was seen that says anything.
Result<Diagnosis> diagnose(const ExpectationRequest& request, const Measurements& measured, const Estate& estate,
                           const Catalog& catalog, Progress& progress);

[[nodiscard]] Report diagnosis_report(const Diagnosis& diagnosis);
[[nodiscard]] Document diagnosis_document(const Diagnosis& diagnosis);

/// The sentences before the evidence.
[[nodiscard]] std::vector<AnswerSentence> diagnosis_answer(const Diagnosis& diagnosis);

}  // namespace railyard
