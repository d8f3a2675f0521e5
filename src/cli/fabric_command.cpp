#include "cli/fabric_command.h"

#include <iostream>

#include "cli/output.h"
#include "fabric/build.h"
#include "tools/fabric/fabric_report.h"
#include "tools/fabric/picture/dot.h"
#include "tools/fabric/picture/svg.h"

namespace railyard {

int fabric_command(const Options& options) {
  const Result<Scenario> scenario = load_input(options.files.front(), overrides_of(options), options, {.workload = false});
  if (!scenario) return complain(scenario.error(), options);
  if (options.outputs->overwrite_inputs()) return kBadInput;
  const Result<Fabric> fabric = build_fabric(scenario->fabric, scenario->keys);
  if (!fabric) return complain(fabric.error(), options);

  const FabricSummary summary = summarise(*scenario, *fabric, builtin_catalog());
  const bool written = write_results(fabric_document(summary), options) &&
                       (options.svg.empty() || write_output(fabric_svg(*fabric, summary), "--svg", options)) &&
                       (options.dot.empty() || write_output(fabric_dot(*fabric, summary), "--dot", options));
  if (!written) return kFoundErrors;
  const bool is_silent = options.quiet || options.json == "-" || options.svg == "-" || options.dot == "-";
  if (!is_silent) write_terminal(fabric_report(summary), terminal_width(), std::cout);
  return kFine;
}

}  // namespace railyard
