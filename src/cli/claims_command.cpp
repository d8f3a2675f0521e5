#include "cli/claims_command.h"

#include <iostream>

#include "answer/interference.h"
#include "base/check.h"
#include "catalog/catalog.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "report/report.h"
#include "scenario/jobs.h"
#include "scenario/presets.h"
#include "tools/claims/claims_report.h"
#include "tools/claims/ledger.h"
#include "tools/claims/test_claims.h"
#include "tools/faults/faults.h"
#include "tools/goodput/goodput.h"

namespace railyard {

namespace {

constexpr std::size_t kMostPerTopic = 3;  // contradictions that a comparison shows

/// What is recorded of the chosen claims.
std::vector<LedgerLine> lines_of(const Ledger& ledger, const std::vector<std::size_t>& chosen) {
  const std::vector<LedgerLine> all = recorded_lines(ledger);
  std::vector<LedgerLine> lines;
  for (const std::size_t i : chosen) lines.push_back(all[i]);
  return lines;
}

Result<Document> play_for_claim(const std::string& scenario, const std::vector<std::string>& set, Progress& progress) {
  const Result<Loaded> loaded = load_scenario_or_jobs(scenario, builtin_catalog(), set);
  if (!loaded) return loaded.error();
  RY_CHECK(loaded->jobs.has_value(), "a claim about jobs names a file that has some");
  const Result<Interference> found = find_interference(*loaded->jobs, {.threads = 1, .others = false}, progress);
  return found ? Result<Document>(interference_document(*found)) : found.error();
}

/// What claims may ask for beside runs.
Result<Document> ask_for_claim(ClaimCommand command, const std::string& scenario, const std::vector<std::string>& set,
                               Progress& progress) {
  if (command == ClaimCommand::jobs) return play_for_claim(scenario, set, progress);
  if (command == ClaimCommand::faults) {
    const Result<Faults> faults = find_faults({scenario, set, 1, false}, builtin_catalog(), progress);
    return faults ? Result<Document>(faults_document(*faults)) : faults.error();
  }
  const Result<Scenario> loaded = load_named_scenario(scenario, builtin_catalog(), set);
  if (!loaded) return loaded.error();
  const Result<Goodput> goodput =
      goodput_of(*loaded, {.runs = 100, .days = {}}, {scenario, set, false}, builtin_catalog(), 1, progress);
  return goodput ? Result<Document>(goodput_document(*goodput)) : goodput.error();
}

/// Tests the chosen claims and puts what was found into `lines`.
Result<std::vector<std::optional<Finding>>> test(const Ledger& ledger, const std::vector<std::size_t>& chosen,
                                                 const Options& options, std::vector<LedgerLine>& lines) {
  std::vector<const Claim*> claims;
  for (const std::size_t i : chosen) claims.push_back(&ledger.claims[i]);
  Progress progress;
  const ProgressLine line(progress, options.quiet);
  Result<std::vector<Finding>> found = test_claims(
      claims, [&](const std::string& name, std::span<const std::string> set) { return load_input(name, set, options); },
      ask_for_claim, options.threads, progress);
  if (!found) return found.error();
  std::vector<std::optional<Finding>> findings(ledger.claims.size());
  for (std::size_t i = 0; i < chosen.size(); i++) {
    lines[i].finding = (*found)[i];
    findings[chosen[i]] = std::move((*found)[i]);
  }
  return findings;
}

/// Names every claim that is not as it was recorded; true if there is one.
bool tell_changes(const Ledger& ledger, std::span<const std::optional<Finding>> findings) {
  bool any = false;
  for (std::size_t i = 0; i < findings.size(); i++) {
    if (!findings[i]) continue;
    for (const std::string& sentence : changes(ledger.claims[i], ledger.recorded[i], *findings[i])) {
      std::cerr << "railyard: " << sentence << '\n';
      any = true;
    }
  }
  if (any)
    std::cerr << "railyard: the ledger is not as it was recorded; if that is right, railyard claims --write "
                 "catalog/claims/recorded.toml and build\n";
  return any;
}

void show(const std::vector<LedgerLine>& lines, const Options& options) {
  if (options.quiet || options.json == "-" || options.write == "-") return;
  if (options.markdown)
    std::cout << claims_markdown(lines);
  else
    write_terminal(claims_report(lines), terminal_width(), std::cout);
}

const Ledger& shipped_ledger() {
  static const Result<Ledger> ledger = read_ledger(embedded_catalog());
  RY_CHECK(ledger.has_value(), "the ledger that ships with the program is sound (ledger_test)");
  return *ledger;
}

}  // namespace

int claims_command(const Options& options) {
  const Result<Ledger> ledger = read_ledger(embedded_catalog());
  if (!ledger) return complain(ledger.error(), options);
  const Result<std::vector<std::size_t>> chosen = choose_claims(*ledger, options.claims);
  if (!chosen) return complain(chosen.error(), options);
  std::vector<LedgerLine> lines = lines_of(*ledger, *chosen);
  if (options.recorded) {
    if (!write_results(claims_document(lines), options)) return kFoundErrors;
    show(lines, options);
    return kFine;
  }
  const Result<std::vector<std::optional<Finding>>> findings = test(*ledger, *chosen, options, lines);
  if (!findings) return complain(findings.error(), options);
  if (!write_results(claims_document(lines), options)) return kFoundErrors;
  if (!options.write.empty() && !write_output(recorded_text(*ledger, *findings), "--write", options)) return kFoundErrors;
  show(lines, options);
  if (!options.write.empty()) return kFine;
  return tell_changes(*ledger, *findings) ? kFoundErrors : kFine;
}

Document recorded_claims_document() { return claims_document(recorded_lines(shipped_ledger())); }

Report::Section recorded_contradictions() { return contradictions_section(recorded_lines(shipped_ledger()), kMostPerTopic); }

}  // namespace railyard
