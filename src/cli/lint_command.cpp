#include "cli/lint_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>

#include "base/json.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/version.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "config/read/read.h"
#include "config/write/write.h"
#include "report/results_report.h"
#include "tools/lint/lint.h"
#include "tools/lint/simulate_repairs.h"

namespace railyard {

namespace {

int explain_rule(const Options& options) {
  if (const LintRule* const rule = find_lint_rule(options.explain)) {
    write_terminal(lint_rule_report(*rule), terminal_width(), std::cout);
    return kFine;
  }
  std::vector<std::string> codes;
  for (const LintRuleGroup& group : lint_rule_groups())
    for (const LintRule& rule : group.rules) codes.emplace_back(rule.code);
  const std::string guess = nearest(options.explain, codes);
  return complain({{Severity::error, "RY-LNT-901", fmt::format("no rule has the code '{}'", options.explain),
                    guess.empty() ? "railyard lint --rules lists them" : fmt::format("did you mean {}?", guess)}},
                  options);
}

/// Commands that make all repairs; devices with the same ones together.
struct FixScript {
  std::vector<std::string> devices, commands;
};

/// What makes the changes before it last: it is said once, at the end.
bool makes_last(std::string_view command) {
  return command == "config save -y" || command == "nv config apply" || command == "commit";
}

/// Commands of several repairs, one after the other.
std::vector<std::string> commands_of(const Device& device, const std::vector<Repair>& repairs) {
  std::vector<std::string> commands;
  std::string last;
  for (const Repair& repair : repairs)
    for (std::string& line : commands_for(device, repair)) {
      if (makes_last(line))
        last = std::move(line);
      else
        commands.push_back(std::move(line));
    }
  if (!last.empty()) commands.push_back(std::move(last));
  return commands;
}

std::vector<FixScript> fix_scripts(const Estate& estate) {
  std::map<std::string, const Device*> known;
  for (const Device& device : estate.devices) known.try_emplace(device.name, &device);
  std::vector<FixScript> scripts;
  std::map<std::vector<std::string>, std::size_t> same;
  for (const RepairPlan::DeviceRepairs& of : plan_repairs(estate).devices) {
    const std::vector<std::string> commands = commands_of(*known.at(of.device), of.repairs);
    if (commands.empty()) continue;
    const auto [script, is_new] = same.try_emplace(commands, scripts.size());
    if (is_new) scripts.push_back({{}, commands});
    scripts[script->second].devices.push_back(of.device);
  }
  return scripts;
}

void show_scripts(const std::vector<FixScript>& scripts) {
  for (const FixScript& script : scripts) {
    std::cout << '\n';
    for (const std::string& device : script.devices) std::cout << "# " << printable(device) << '\n';
    for (const std::string& command : script.commands) std::cout << printable_lines(command) << '\n';
  }
}

Document scripts_document(const std::vector<FixScript>& scripts) {
  Document out = Document::array();
  const auto all = [](const std::vector<std::string>& texts) {
    Document list = Document::array();
    for (const std::string& text : texts) list.push(Document(text));
    return list;
  };
  for (const FixScript& script : scripts) {
    Document& one = out.push(Document::object());
    one.set("devices", all(script.devices));
    one.set("commands", all(script.commands));
  }
  return out;
}

/// Whether something was found that --fail-on counts.
bool fails(const LintResult& result, const std::string& from) {
  const Severity least = from == "note" ? Severity::note : from == "error" ? Severity::error : Severity::warning;
  return std::any_of(result.findings.begin(), result.findings.end(),
                     [&](const LintFinding& finding) { return finding.rule->severity >= least; });
}

/// Nothing that was read may be written over.
bool keeps_inputs(const Estate& estate, const Options& options) {
  for (const Device& device : estate.devices)
    for (const SourceSpan& file : device.files) options.outputs->keep({file.file});
  return !options.outputs->overwrite_inputs();
}

Result<SimulatedRepairs> simulate_both(const Estate& estate, const Options& options) {
  Progress progress;
  const ProgressLine line(progress, options.quiet);
  return simulate_repairs(options.lint.simulate, overrides_of(options), estate, plan_repairs(estate).after, builtin_catalog(),
                          options.threads, progress);
}

int lint_estate(const Estate& estate, const Diagnostics& notes, const Options& options) {
  const LintResult result = lint(estate);
  std::optional<SimulatedRepairs> simulated;
  if (!options.lint.simulate.empty()) {
    const Result<SimulatedRepairs> both = simulate_both(estate, options);
    if (!both) return complain(both.error(), options);
    simulated = *both;
  }
  const std::vector<FixScript> scripts = options.lint.fix ? fix_scripts(estate) : std::vector<FixScript>();
  Document document = lint_document(result);
  document.set("notes", diagnostics_document(notes));
  if (options.lint.fix) document.set("fixes", scripts_document(scripts));
  if (simulated) document.set("simulated", repairs_document(*simulated));
  if (!write_results(document, options)) return kBadInput;
  if (!options.lint.sarif.empty() && !write_output(write_json(sarif_document(result, kVersion)), "--sarif", options))
    return kBadInput;
  const bool is_silent = options.json == "-" || options.lint.sarif == "-";
  if (!is_silent && !options.quiet) {
    Report report = lint_report(result);
    if (simulated) report.sections.insert(report.sections.begin() + 1, repairs_section(*simulated));
    if (!notes.empty()) report.sections.push_back({"Files", {notes}});
    write_terminal(report, terminal_width(), std::cout);
  }
  if (!is_silent) show_scripts(scripts);
  return fails(result, options.lint.fail_on) ? kFoundErrors : kFine;
}

}  // namespace

int lint_command(const Options& options) {
  if (options.markdown) {
    std::cout << lint_rules_markdown();
    return kFine;
  }
  if (options.lint.rules) {
    write_terminal(lint_rules_report(), terminal_width(), std::cout);
    return kFine;
  }
  if (!options.explain.empty()) return explain_rule(options);
  if (options.files.empty()) {
    std::cerr << "railyard: lint needs files or folders with configurations; railyard lint --help shows the usage\n";
    return kBadInput;
  }
  Diagnostics notes;
  const Result<Estate> estate = read_configs({options.files.begin(), options.files.end()}, notes);
  if (!estate) return complain(estate.error(), options);
  if (estate->devices.empty() && estate->inventory.empty()) {
    notes.push_back({Severity::error, "RY-LNT-900", "none of these files describes a switch, a host or a job",
                     "docs/lint.md lists the kinds of files that are read"});
    return complain(notes, options);
  }
  if (!keeps_inputs(*estate, options)) return kBadInput;
  return lint_estate(*estate, notes, options);
}

}  // namespace railyard
