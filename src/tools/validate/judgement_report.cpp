// A judgement as a report: the answer, phases, what each is judged by, who stands out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/validate/judge.h"

namespace railyard {

namespace {

constexpr std::size_t kMostShown = 60;  // checks of a phase; failures are all shown

Report::Section phases_section(const ValidationJudgement& judgement) {
  TextTable table{{"phase", "outcome", "why"}, {}, {}};
  for (const JudgedPhase& one : judgement.phases)
    table.rows.push_back({std::string(text_of(one.phase).title), std::string(name_of(one.outcome)), one.reason});
  return {"Phases", {std::move(table)}};
}

TextTable checks_table(const JudgedPhase& phase, std::size_t& left_out) {
  TextTable table{{"what", "measured", "expected", "needed", "outcome", "why"},
                  {Align::left, Align::right, Align::right, Align::right},
                  {}};
  for (const bool passes : {false, true})
    for (const AcceptanceCheck& check : phase.checks) {
      if (check.passes != passes) continue;
      if (passes && table.rows.size() >= kMostShown) {
        left_out++;
        continue;
      }
      table.rows.push_back(
          {check.what, check.measured, check.expected, check.needed, check.passes ? "pass" : "fail", check.reason});
    }
  return table;
}

std::string missing_sentence(const std::vector<std::string>& missing) {
  constexpr std::size_t kNamed = 8;
  const std::vector<std::string> named(missing.begin(), missing.begin() + std::ptrdiff_t(std::min(kNamed, missing.size())));
  return fmt::format("Of the plan's tests {} {} not measured: {}{}.", missing.size(), missing.size() == 1 ? "was" : "were",
                     fmt::join(named, "; "),
                     missing.size() > kNamed ? fmt::format("; and {} more", missing.size() - kNamed) : "");
}

Report::Section phase_section(const JudgedPhase& phase) {
  std::size_t left_out = 0;
  Report::Section section{fmt::format("{}: {}", text_of(phase.phase).title, name_of(phase.outcome)),
                          {checks_table(phase, left_out)}};
  if (left_out > 0) section.blocks.emplace_back(fmt::format("{} more checks pass.", left_out));
  if (!phase.missing.empty()) section.blocks.emplace_back(missing_sentence(phase.missing));
  if (phase.outliers.empty()) return section;
  TextTable table{{"stands out", "name", "how"}, {}, {}};
  for (const Outlier& one : phase.outliers) table.rows.push_back({one.what, one.name, one.how});
  section.blocks.emplace_back(std::move(table));
  return section;
}

void add_left_out(const ValidationJudgement& judgement, Report& report) {
  Report::Section section{"What was not read", {}};
  for (const SkippedText& one : judgement.skipped)
    section.blocks.emplace_back(
        fmt::format("{}: {}{}", to_text(one.where), one.what, one.times > 1 ? fmt::format(", {} times", one.times) : ""));
  for (const std::string& file : judgement.unknown_files) section.blocks.emplace_back(file + ": no reader knows what this is");
  for (const std::string& name : judgement.unknown) section.blocks.emplace_back(name + ": this collective is not modelled");
  if (!section.blocks.empty()) report.sections.push_back(std::move(section));
}

}  // namespace

Report judgement_report(const ValidationJudgement& judgement) {
  Report::Section answer{"Answer", {}};
  for (const std::string& sentence : judgement.answer) answer.blocks.emplace_back(sentence);
  Report report{"Acceptance of " + judgement.name, {std::move(answer), phases_section(judgement)}};
  for (const JudgedPhase& phase : judgement.phases)
    if (!phase.checks.empty()) report.sections.push_back(phase_section(phase));
  report.sections.push_back(
      {"How it is judged",
       {std::string(
           "Expected values are computed from the description of this fabric. A collective passes at two standard "
           "deviations below, by how far such predictions are off; a NIC at 4 % below its port less headers; a step at "
           "what nine of ten published steps are predicted within. What stands out is compared with its peers alone.")}});
  add_left_out(judgement, report);
  return report;
}

}  // namespace railyard
