#include "cli/faults_command.h"

#include <iostream>

#include "catalog/catalog.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "tools/faults/faults.h"

namespace railyard {

int faults_command(const Options& options) {
  const Result<Scenario> scenario = load_input(options.files.front(), overrides_of(options), options);
  if (!scenario) return complain(scenario.error(), options);
  if (options.outputs->overwrite_inputs()) return kBadInput;
  const FaultsRequest request{options.files.front(), overrides_of(options), options.threads, !options.singles};
  Progress progress;
  const Result<Faults> faults = [&] {
    const ProgressLine line(progress, options.quiet);
    return find_faults(request, builtin_catalog(), progress);
  }();
  if (!faults) return complain(faults.error(), options);
  if (!write_json_output(faults_document(*faults), options)) return kFoundErrors;
  if (options.json != "-" && !options.quiet) write_terminal(faults_report(*faults), terminal_width(), std::cout);
  return kFine;
}

}  // namespace railyard
