#include "cli/experts_command.h"

#include <iostream>

#include "catalog/catalog.h"
#include "cli/output.h"
#include "tools/experts/experts_report.h"

namespace railyard {

int experts_command(const Options& options) {
  const Result<Scenario> scenario = load_input(options.files.front(), overrides_of(options), options, {.workload = false});
  if (!scenario) return complain(scenario.error(), options);
  if (options.outputs->overwrite_inputs()) return kBadInput;
  const Result<ExpertsTable> table = exchange_experts(options.experts, *scenario, builtin_catalog());
  if (!table) return complain(table.error(), options);
  if (!write_results(experts_document(*table), options)) return kFoundErrors;
  if (options.json != "-" && !options.quiet) write_terminal(experts_report(*table), terminal_width(), std::cout);
  show_findings(table->diagnostics, std::cerr);
  return kFine;
}

}  // namespace railyard
