// A judgement as JSON, and as JUnit XML for continuous integration.
#include <fmt/format.h>

#include <algorithm>

#include "report/html.h"
#include "tools/validate/judge.h"

namespace railyard {

namespace {

Document text(std::string_view value) { return Document(std::string(value)); }

Document check_document(const AcceptanceCheck& check) {
  Document row = Document::object();
  row.set("what", text(check.what));
  row.set("measured", text(check.measured));
  row.set("expected", text(check.expected));
  row.set("needed", text(check.needed));
  row.set("passes", Document(check.passes));
  row.set("reason", text(check.reason));
  row.set("where", text(to_text(check.where)));
  return row;
}

Document phase_document(const JudgedPhase& phase) {
  Document out = Document::object(), checks = Document::array(), outliers = Document::array();
  out.set("phase", text(name_of(phase.phase)));
  out.set("outcome", text(name_of(phase.outcome)));
  out.set("reason", text(phase.reason));
  for (const AcceptanceCheck& check : phase.checks) checks.push(check_document(check));
  for (const Outlier& one : phase.outliers) {
    Document row = Document::object();
    row.set("what", text(one.what));
    row.set("name", text(one.name));
    row.set("how", text(one.how));
    outliers.push(std::move(row));
  }
  out.set("checks", std::move(checks));
  out.set("outliers", std::move(outliers));
  Document& missing = out.set("missing", Document::array());
  for (const std::string& one : phase.missing) missing.push(text(one));
  return out;
}

std::string case_xml(const JudgedPhase& phase, const AcceptanceCheck& check) {
  const std::string head = fmt::format("    <testcase classname=\"validate.{}\" name=\"{}\" time=\"0\"", name_of(phase.phase),
                                       escaped_markup(check.what));
  if (check.passes) return head + "/>\n";
  return fmt::format("{}>\n      <failure message=\"{}\">measured {}, expected {}, needed {} ({})</failure>\n    </testcase>\n",
                     head, escaped_markup(check.reason), escaped_markup(check.measured), escaped_markup(check.expected),
                     escaped_markup(check.needed), escaped_markup(to_text(check.where)));
}

struct SuiteCounts {
  std::size_t tests = 0, failures = 0, skipped = 0;
};

SuiteCounts counts_of(const JudgedPhase& phase) {
  if (phase.checks.empty()) return {1, 0, 1};
  const auto failed =
      std::count_if(phase.checks.begin(), phase.checks.end(), [](const AcceptanceCheck& c) { return !c.passes; });
  return {phase.checks.size(), static_cast<std::size_t>(failed), 0};
}

std::string suite_xml(const JudgedPhase& phase) {
  const SuiteCounts counts = counts_of(phase);
  std::string out =
      fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"0\">\n",
                  name_of(phase.phase), counts.tests, counts.failures, counts.skipped);
  for (const AcceptanceCheck& check : phase.checks) out += case_xml(phase, check);
  if (phase.checks.empty())
    out +=
        fmt::format("    <testcase classname=\"validate.{0}\" name=\"{0}\" time=\"0\"><skipped message=\"{1}\"/></testcase>\n",
                    name_of(phase.phase), escaped_markup(phase.reason));
  return out + "  </testsuite>\n";
}

}  // namespace

Document judgement_document(const ValidationJudgement& judgement) {
  Document out = Document::object(), answer = Document::array(), phases = Document::array();
  out.set("schema", text("railyard-acceptance/1"));
  out.set("name", text(judgement.name));
  out.set("outcome", text(name_of(judgement.outcome)));
  for (const std::string& sentence : judgement.answer) answer.push(text(sentence));
  for (const JudgedPhase& phase : judgement.phases) phases.push(phase_document(phase));
  out.set("answer", std::move(answer));
  out.set("phases", std::move(phases));
  return out;
}

std::string judgement_junit(const ValidationJudgement& judgement) {
  SuiteCounts sum;
  std::string suites;
  for (const JudgedPhase& phase : judgement.phases) {
    const SuiteCounts counts = counts_of(phase);
    sum = {sum.tests + counts.tests, sum.failures + counts.failures, sum.skipped + counts.skipped};
    suites += suite_xml(phase);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
      "skipped=\"{}\" "
      "time=\"0\">\n{}</testsuites>\n",
      escaped_markup(judgement.name), sum.tests, sum.failures, sum.skipped, suites);
}

}  // namespace railyard
