// What a diagnosis says in sentences: how slow, why, whose fault, what to do, how to be sure.
#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "tools/diagnose/diagnose.h"

namespace railyard {

namespace {

std::string in_gb(double bytes_per_second) { return fmt::format("{:.3g} GB/s", bytes_per_second / 1e9); }

/// The curve that is furthest below what is expected.
const JudgedCurve* slowest_of(const Diagnosis& diagnosis) {
  const JudgedCurve* slowest = nullptr;
  for (const JudgedCurve& one : diagnosis.curves)
    if (one.ratio > 0 && (!slowest || one.ratio < slowest->ratio)) slowest = &one;
  return slowest;
}

double expected_bandwidth(const JudgedCurve& one) {
  const CurvePoint& last = one.curve.points.back();
  return last.bus_bandwidth * last.time_s / one.expected.back();
}

std::string how_slow(const JudgedCurve& one) {
  const CurvePoint& last = one.curve.points.back();
  return fmt::format("{} reaches {} of bus bandwidth at {}, where this cluster should do {}: {:.0f} % of what is expected{}.",
                     name_of(one.curve), in_gb(last.bus_bandwidth), format(last.size), in_gb(expected_bandwidth(one)),
                     100 * last.bus_bandwidth / expected_bandwidth(one),
                     one.is_slow   ? ""
                     : one.is_fast ? ", more than predictions are off by; does the scenario describe this cluster?"
                                   : ", within what predictions are off by");
}

std::string likeliest(const RankedCause& first, const Diagnosis& diagnosis) {
  if (first.cause->in == CauseIn::nothing) return "Nothing is wrong that these files show.";
  std::string text = fmt::format("Likeliest cause ({:.0f} of 100): {}", first.score * 100, first.cause->what);
  const bool shows = !diagnosis.curves.empty() && !first.best.how.empty();
  if (shows) text += fmt::format("; the curve fits {}", first.best.how);
  return text + ".";
}

std::string whose(const Diagnosis& diagnosis) {
  const auto sums =
      fmt::format("network {:.0f}, servers {:.0f}, job {:.0f}, nothing wrong {:.0f} of 100", diagnosis.in_network * 100,
                  diagnosis.in_server * 100, diagnosis.in_job * 100, diagnosis.healthy * 100);
  return fmt::format("Degraded by the network: {} ({}; yes or no where one side has half of the scores).",
                     name_of(diagnosis.by_network), sums);
}

std::string both(const CausePair& pair) {
  return fmt::format(
      "No single cause explains the curves; two at once do, about {} times better: {} ({}), and {} ({}). The second shows when "
      "the first is mended.",
      pair.gain > 13 ? "a million" : "thousands of", pair.first->id, pair.first_best.how, pair.second->id,
      pair.second_best.how);
}

std::string next_sentence(const NextMeasurement& next, const RankedCause& first, const RankedCause& second) {
  return fmt::format("To tell it from the next ({}), measure {}. With {} it shows {}, with {} {}.", second.cause->id, next.what,
                     first.cause->id, next.if_first, second.cause->id, next.if_second);
}

std::string gain(const JudgedCurve& slowest) {
  return fmt::format(" Expected then: {} instead of {}, {:.2g} times as much.", in_gb(expected_bandwidth(slowest)),
                     in_gb(slowest.curve.points.back().bus_bandwidth),
                     expected_bandwidth(slowest) / slowest.curve.points.back().bus_bandwidth);
}

}  // namespace

std::vector<AnswerSentence> diagnosis_answer(const Diagnosis& diagnosis) {
  std::vector<AnswerSentence> out;
  if (diagnosis.wrong > 0)
    out.push_back(
        {"wrong",
         fmt::format("{} values came out wrong: data is corrupted, and that comes before every bandwidth. Look for bad "
                     "memory, PCIe errors and relaxed ordering on hardware that cannot do it.",
                     diagnosis.wrong)});
  const JudgedCurve* slowest = slowest_of(diagnosis);
  if (slowest) out.push_back({"measured", how_slow(*slowest)});
  if (diagnosis.causes.empty()) return out;
  const RankedCause& first = diagnosis.causes.front();
  out.push_back({"cause", likeliest(first, diagnosis)});
  if (diagnosis.pair) out.push_back({"pair", both(*diagnosis.pair)});
  out.push_back({"whose", whose(diagnosis)});
  if (first.cause->in == CauseIn::nothing) return out;
  std::string fix(first.cause->fix);
  fix.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(fix.front())));
  out.push_back({"fix", fmt::format("{}.{}", fix, slowest && slowest->is_slow ? gain(*slowest) : "")});
  if (diagnosis.next) out.push_back({"check", next_sentence(*diagnosis.next, first, diagnosis.causes[1])});
  return out;
}

}  // namespace railyard
