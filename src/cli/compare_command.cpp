#include "cli/compare_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "base/version.h"
#include "catalog/catalog.h"
#include "cli/claims_command.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "report/command_text.h"
#include "report/page.h"
#include "tools/compare/compare.h"
#include "tools/compare/compare_report.h"

namespace railyard {

namespace {

constexpr std::size_t kMostAdvice = 15;

/// As it would be typed again.
std::string command_of(const Options& options) {
  std::string text = "railyard compare";
  for (const std::string& file : options.files) text += " " + shell_word(file);
  if (!options.engine.empty()) text += " --engine " + options.engine;
  return text + set_words(overrides_of(options));
}

int list_keys(const Compared& compared) {
  for (const Explanation& e : explanations(compared)) std::cout << fmt::format("{}\t{}\n", e.key, e.value);
  return kFine;
}

int explain_one(const Compared& compared, const Options& options) {
  if (options.explain == "list") return list_keys(compared);
  const Result<Report> report = explain_key(compared, options.explain);
  if (!report) return complain(report.error(), options);
  write_terminal(*report, terminal_width(), std::cout);
  return kFine;
}

/// A key names its run, and few tables rest on what is tried: no need to do all of it for one number.
void narrow_to_key(const std::string& key, CompareRequest& request) {
  const std::size_t dot = key.find('.'), end = key.rfind('.');
  if (dot == std::string::npos || end <= dot) return;
  const std::string table = key.substr(0, dot), id = key.substr(dot + 1, end - dot - 1);
  request.trials = table == "transports" || table == "latency" || table == "congestion";
  for (const std::string& name : request.scenarios)
    if (std::filesystem::path(name).stem() == id) {
      request.scenarios = {name};
      return;
    }
}

/// The comparison, and beside that of the documents' models what is held of their claims.
Document whole_document(const Compared& compared, bool of_documents, const Options& options) {
  Document document = compare_document(compared, kVersion, command_of(options));
  if (!of_documents) return document;
  const Document ledger = recorded_claims_document();
  for (const char* part : {"summary", "claims"}) document.set(part, *ledger.find(part));
  return document;
}

/// What was asked for as files, then tables on the terminal: whoever reads those may go away. The last line is the page's path.
bool write_comparison(const Compared& compared, const Options& options) {
  const bool of_documents = options.files.empty();
  const Document document =
      options.json.empty() && options.page.empty() ? Document() : whole_document(compared, of_documents, options);
  if (!write_results(document, options)) return false;
  if (!options.page.empty() && !write_output(page(document), "-o", options)) return false;
  const bool is_silent = options.quiet || options.json == "-" || options.page == "-";
  if (!is_silent) {
    Report report = compare_report(compared, kMostAdvice);
    if (of_documents) report.sections.insert(report.sections.end() - 1, recorded_contradictions());  // advice comes last
    write_terminal(report, terminal_width(), std::cout);
  }
  if (!is_silent && !options.page.empty()) std::cout << "\npage: " << printable(options.page) << '\n';
  return true;
}

}  // namespace

int compare_command(const Options& options) {
  if (!options.explain.empty() && !(options.json.empty() && options.page.empty())) {
    std::cerr << "railyard: --explain prints one number and writes no files; leave out --json and -o\n";
    return kBadInput;
  }
  CompareRequest request{.scenarios = options.files.empty() ? default_comparison() : options.files,
                         .overrides = overrides_of(options),
                         .fidelity = options.engine.empty() ? std::nullopt : std::optional(options.engine),
                         .threads = options.threads};
  if (!options.explain.empty() && options.explain != "list") {
    if (const Diagnostics wrong = impossible_key(options.explain, request.scenarios); !wrong.empty())
      return complain(wrong, options);
    narrow_to_key(options.explain, request);
  }
  for (const std::string& name : request.scenarios) (void)load_input(name, request.overrides, options);
  if (options.outputs->overwrite_inputs()) return kBadInput;
  Progress progress;
  const Result<Compared> compared = [&] {
    const ProgressLine line(progress, options.quiet);
    return compare(request, builtin_catalog(), progress);
  }();
  if (!compared) return complain(compared.error(), options);
  if (!options.explain.empty()) return explain_one(*compared, options);
  return write_comparison(*compared, options) ? kFine : kFoundErrors;
}

}  // namespace railyard
