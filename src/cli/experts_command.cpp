#include "cli/experts_command.h"

#include <iostream>

#include "catalog/catalog.h"
#include "cli/output.h"
#include "scenario/presets.h"
#include "tools/experts/experts_report.h"

namespace railyard {

int experts_command(const Options& options) {
  if (overwrites_input(options)) return kBadInput;
  const Result<Scenario> scenario =
      load_named_scenario(options.files.front(), builtin_catalog(), overrides_of(options), {.workload = false});
  if (!scenario) return complain(scenario.error(), options);
  const Result<ExpertsTable> table = exchange_experts(options.experts, *scenario, builtin_catalog());
  if (!table) return complain(table.error(), options);
  if (!write_json_output(experts_document(*table), options)) return kFoundErrors;
  if (options.json != "-" && !options.quiet) write_terminal(experts_report(*table), terminal_width(), std::cout);
  for (const Diagnostic& finding : table->diagnostics) std::cerr << to_text(finding) << '\n';
  return kFine;
}

}  // namespace railyard
