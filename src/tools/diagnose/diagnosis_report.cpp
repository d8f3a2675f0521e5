// A diagnosis as a report: the answer, curves, causes with what speaks for and against them, who stands out.
#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "tools/diagnose/diagnose.h"

namespace railyard {

namespace {

constexpr double kShown = 0.01;  // scores below are left out
constexpr std::size_t kMostShown = 8;

std::string gb(double bytes_per_second) { return fmt::format("{:.2f}", bytes_per_second / 1e9); }

/// Bus bandwidth at a point if it took that long.
double bandwidth_in(const CurvePoint& point, double time_s) { return point.bus_bandwidth * point.time_s / time_s; }

Report::Section answer_section(const Diagnosis& diagnosis) {
  Report::Section section{"Answer", {}};
  for (const AnswerSentence& sentence : diagnosis.answer) section.blocks.emplace_back(sentence.text);
  return section;
}

Report::Section curve_section(const Diagnosis& diagnosis, std::size_t i) {
  const JudgedCurve& one = diagnosis.curves[i];
  Report::Section section{name_of(one.curve), {}};
  if (one.expected.empty()) {
    section.blocks.emplace_back("This cannot be predicted for the scenario's cluster.");
    return section;
  }
  const RankedCause& first = diagnosis.causes.front();
  const bool has_cause = first.cause->in != CauseIn::nothing && !first.times.empty();
  TextTable table{
      {"size", "measured GB/s", "expected GB/s", "× expected"}, {Align::right, Align::right, Align::right, Align::right}, {}};
  if (has_cause) table.header.push_back(fmt::format("with {} GB/s", first.cause->id)), table.align.push_back(Align::right);
  for (std::size_t k = 0; k < one.curve.points.size(); k++) {
    const CurvePoint& point = one.curve.points[k];
    std::vector<std::string> row = {format(point.size), gb(point.bus_bandwidth), gb(bandwidth_in(point, one.expected[k])),
                                    fmt::format("{:.2f}", one.expected[k] / point.time_s)};
    if (has_cause) row.push_back(gb(bandwidth_in(point, first.times[i][k])));
    table.rows.push_back(std::move(row));
  }
  section.blocks.emplace_back(std::move(table));
  if (one.curve.is_assumed) section.blocks.emplace_back("Ranks or nodes are the scenario's: no file says them.");
  return section;
}

std::vector<const RankedCause*> shown_causes(const Diagnosis& diagnosis) {
  std::vector<const RankedCause*> shown;
  for (const RankedCause& one : diagnosis.causes)
    if (shown.size() < kMostShown && (one.score >= kShown || shown.size() < 3)) shown.push_back(&one);
  return shown;
}

Report::Section causes_section(const Diagnosis& diagnosis) {
  Report::Section section{"Causes, the likeliest first", {}};
  TextTable table{{"score", "cause", "in", "what it is"}, {Align::right}, {}};
  for (const RankedCause* one : shown_causes(diagnosis))
    table.rows.push_back({fmt::format("{:.0f}", one->score * 100), std::string(one->cause->id),
                          std::string(name_of(one->cause->in)), std::string(one->cause->what)});
  section.blocks.emplace_back(std::move(table));
  section.blocks.emplace_back(
      "Scores sum to 100. They weigh how well the curve with each cause fits what was measured, what logs, counters and "
      "configurations say, and how often causes were met (assumed). They are no probabilities.");
  return section;
}

Report::Section evidence_section(const Diagnosis& diagnosis) {
  Report::Section section{"For and against", {}};
  TextTable table{{"cause", "says", "what was seen", "where"}, {}, {}};
  for (const RankedCause* one : shown_causes(diagnosis))
    for (const Evidence& piece : one->evidence)
      table.rows.push_back(
          {std::string(one->cause->id), piece.log_odds > 0 ? "for" : "against", piece.text, to_text(piece.where)});
  if (table.rows.empty())
    section.blocks.emplace_back("Curves alone were compared: no log, counter or configuration says anything of these causes.");
  else
    section.blocks.emplace_back(std::move(table));
  return section;
}

void add_odd(const Diagnosis& diagnosis, Report& report) {
  if (diagnosis.odd.empty()) return;
  Report::Section section{"Who stands out", {}};
  TextTable table{{"what", "name", "how"}, {}, {}};
  for (const Outlier& one : diagnosis.odd) table.rows.push_back({one.what, one.name, one.how});
  section.blocks.emplace_back(std::move(table));
  report.sections.push_back(std::move(section));
}

void add_steps(const Diagnosis& diagnosis, Report& report) {
  if (diagnosis.steps.empty()) return;
  Report::Section section{"Training steps", {}};
  TextTable table{{"log", "steps", "median s", "p95 s", "expected s", "× expected"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const JudgedSteps& one : diagnosis.steps)
    table.rows.push_back({one.framework, std::to_string(one.steps), fmt::format("{:.3f}", one.median_s),
                          fmt::format("{:.3f}", one.p95_s), one.expected_s ? fmt::format("{:.3f}", *one.expected_s) : "–",
                          one.expected_s ? fmt::format("{:.2f}", *one.expected_s / one.median_s) : "–"});
  section.blocks.emplace_back(std::move(table));
  report.sections.push_back(std::move(section));
}

void add_left_out(const Diagnosis& diagnosis, Report& report) {
  Report::Section section{"What was not read", {}};
  for (const SkippedText& one : diagnosis.skipped)
    section.blocks.emplace_back(
        fmt::format("{}: {}{}", to_text(one.where), one.what, one.times > 1 ? fmt::format(", {} times", one.times) : ""));
  for (const std::string& file : diagnosis.unknown_files) section.blocks.emplace_back(file + ": no reader knows what this is");
  for (const std::string& name : diagnosis.unknown) section.blocks.emplace_back(name + ": this collective is not modelled");
  if (!section.blocks.empty()) report.sections.push_back(std::move(section));
}

}  // namespace

Report diagnosis_report(const Diagnosis& diagnosis) {
  Report report{"Diagnosis: " + diagnosis.name, {answer_section(diagnosis)}};
  for (std::size_t i = 0; i < diagnosis.curves.size(); i++) report.sections.push_back(curve_section(diagnosis, i));
  add_steps(diagnosis, report);
  report.sections.push_back(causes_section(diagnosis));
  report.sections.push_back(evidence_section(diagnosis));
  add_odd(diagnosis, report);
  add_left_out(diagnosis, report);
  return report;
}

}  // namespace railyard
