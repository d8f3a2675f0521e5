// `railyard diagnose`: what was measured against what the cluster should do, and the likeliest causes of the difference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "expected/judged.h"
#include "expected/odd.h"
#include "expected/predict.h"
#include "measured/measured.h"
#include "qos/device.h"
#include "report/report.h"
#include "tools/diagnose/next_measurement.h"
#include "tools/diagnose/pair.h"
#include "tools/diagnose/score.h"

namespace railyard {

enum class Degraded : std::uint8_t { no, yes, cannot_tell };
template<>
struct ChoiceNames<Degraded> {
  static constexpr std::string_view names[] = {"no", "yes", "cannot tell"};
};

/// A sentence, and what it is about: wrong, measured, cause, pair, whose, fix or check.
struct AnswerSentence {
  std::string_view about;
  std::string text;
};

struct Diagnosis {
  std::string name;  // of the scenario
  std::vector<JudgedCurve> curves;
  std::vector<JudgedSteps> steps;
  std::vector<RankedCause> causes;      // the likeliest first
  std::optional<CausePair> pair;        // where two at once explain much more than any single one
  std::optional<NextMeasurement> next;  // what tells the first two apart best
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
