// The rules themselves, for people.
#include <fmt/format.h>

#include "tools/lint/lint.h"

namespace railyard {

namespace {

std::string in_markdown(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; (i = out.find('|', i)) != std::string::npos; i += 2) out.insert(i, "\\");
  return out;
}

}  // namespace

Report lint_rules_report() {
  Report report{"Rules of railyard lint", {}};
  for (const LintRuleGroup& group : lint_rule_groups()) {
    TextTable table{{"code", "severity", "harm", "rule"}, {Align::left, Align::left, Align::right}, {}};
    for (const LintRule& rule : group.rules)
      table.rows.push_back(
          {std::string(rule.code), std::string(name_of(rule.severity)), std::to_string(rule.harm), std::string(rule.title)});
    report.sections.push_back({std::string(group.name), {table}});
  }
  return report;
}

Report lint_rule_report(const LintRule& rule) {
  return {fmt::format("{}: {}", rule.code, rule.title),
          {{"",
            {fmt::format("{}, harm {} of 100.",
                         rule.severity == Severity::error     ? "An error"
                         : rule.severity == Severity::warning ? "A warning"
                                                              : "A note",
                         rule.harm),
             std::string(rule.why), fmt::format("What to do: {}", rule.fix), fmt::format("Source: {}.", rule.source)}}}};
}

std::string lint_rules_markdown() {
  std::string out;
  for (const LintRuleGroup& group : lint_rule_groups()) {
    out += fmt::format(
        "### {}\n\n| code | severity | harm | rule | why | what to do | source |\n|---|---|---|---|---|---|---|\n", group.name);
    for (const LintRule& rule : group.rules)
      out += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", rule.code, name_of(rule.severity), rule.harm,
                         in_markdown(rule.title), in_markdown(rule.why), in_markdown(rule.fix), in_markdown(rule.source));
    out += '\n';
  }
  return out;
}

}  // namespace railyard
