#include "cli/diagnose_command.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/version.h"
#include "catalog/catalog.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "config/read/read.h"
#include "measured/read.h"
#include "report/command_text.h"
#include "report/page.h"
#include "tools/diagnose/diagnose.h"

namespace railyard {

namespace {

/// Configurations among the files: what no reader of measurements knows may be one. What is neither stays unknown.
Estate configurations_of(Measurements& measured) {
  const std::vector<std::filesystem::path> paths(measured.unknown_files.begin(), measured.unknown_files.end());
  if (paths.empty()) return {};
  Diagnostics notes;
  const Result<Estate> estate = read_configs(paths, notes);
  if (!estate) return {};
  std::erase_if(measured.unknown_files, [&](const std::string& file) {
    return std::none_of(notes.begin(), notes.end(), [&](const Diagnostic& note) { return note.where.file == file; });
  });
  return *estate;
}

/// Nothing that is read is written over, in folders neither.
void keep_measured(const Options& options) {
  namespace fs = std::filesystem;
  std::vector<fs::path> paths(options.measured.begin(), options.measured.end());
  std::error_code ignored;
  for (const std::string& folder : options.measured)
    for (fs::recursive_directory_iterator at(folder, ignored), end; at != end; at.increment(ignored))
      paths.push_back(at->path());
  options.outputs->keep(paths);
}

/// The command that writes this page's document.
std::string command_text(const Options& options) {
  std::string out = "railyard diagnose --scenario " + shell_word(options.cluster);
  for (const std::string& file : options.measured) out += " " + shell_word(file);
  return out + set_words(overrides_of(options));
}

/// The document, with what the head of a page has.
Document diagnosis_page(const Document& diagnosis, const Options& options) {
  Document data = Document::object();
  data.set("railyard", Document(std::string(kVersion)));
  data.set("kind", Document(std::string("diagnosis")));
  data.set("title", Document("Diagnosis: " + *diagnosis.find("name")->text()));
  data.set("command", Document(command_text(options)));
  data.set("verdict", Document::object()).set("sentences", *diagnosis.find("answer"));
  data.set("diagnosis", diagnosis);
  return data;
}

}  // namespace

int diagnose_command(const Options& options) {
  const Result<Scenario> scenario = load_input(options.cluster, overrides_of(options), options, {.workload = false});
  if (!scenario) return complain(scenario.error(), options);
  keep_measured(options);
  if (options.outputs->overwrite_inputs()) return kBadInput;
  Result<Measurements> measured = read_measurements({options.measured.begin(), options.measured.end()});
  if (!measured) return complain(measured.error(), options);
  const Estate estate = configurations_of(*measured);
  const ExpectationRequest request{options.cluster, overrides_of(options), options.threads};
  Progress progress;
  const Result<Diagnosis> found = [&] {
    const ProgressLine line(progress, options.quiet);
    return diagnose(request, *measured, estate, builtin_catalog(), progress);
  }();
  if (!found) return complain(found.error(), options);
  const Document document = diagnosis_document(*found);
  if (!write_results(document, options)) return kFoundErrors;
  if (!options.page.empty() && !write_output(page(diagnosis_page(document, options)), "-o", options)) return kFoundErrors;
  if (options.quiet || options.json == "-" || options.page == "-") return kFine;
  write_terminal(diagnosis_report(*found), terminal_width(), std::cout);
  if (!options.page.empty()) std::cout << "\npage: " << printable(options.page) << '\n';
  return kFine;
}

}  // namespace railyard
