#include "cli/diagnose_command.h"

#include <algorithm>
#include <iostream>

#include "catalog/catalog.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "config/read/read.h"
#include "measured/read.h"
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

}  // namespace

int diagnose_command(const Options& options) {
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
  if (!write_json_output(diagnosis_document(*found), options)) return kFoundErrors;
  if (!options.quiet && options.json != "-") write_terminal(diagnosis_report(*found), terminal_width(), std::cout);
  return kFine;
}

}  // namespace railyard
