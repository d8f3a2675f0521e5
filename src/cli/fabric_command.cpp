#include "cli/fabric_command.h"

#include <algorithm>
#include <iostream>

#include "cli/output.h"
#include "fabric/build.h"
#include "scenario/presets.h"
#include "tools/fabric/fabric_report.h"
#include "tools/fabric/picture/dot.h"
#include "tools/fabric/picture/svg.h"

namespace railyard {

int fabric_command(const Options& options) {
  if (overwrites_input(options)) return kBadInput;
  const std::string outputs[] = {options.json, options.svg, options.dot};
  const auto to_stdout = std::count(std::begin(outputs), std::end(outputs), "-");
  if (to_stdout > 1) {
    std::cerr << "railyard: only one of --json, --svg and --dot can go to standard output; name files for the others\n";
    return kBadInput;
  }
  const Result<Scenario> scenario =
      load_named_scenario(options.files.front(), builtin_catalog(), overrides_of(options), {.workload = false});
  if (!scenario) return complain(scenario.error(), options);
  const Result<Fabric> fabric = build_fabric(scenario->fabric, scenario->keys);
  if (!fabric) return complain(fabric.error(), options);

  const FabricSummary summary = summarise(*scenario, *fabric, builtin_catalog());
  const bool written = write_json_output(fabric_document(summary), options) &&
                       (options.svg.empty() || write_output(fabric_svg(*fabric, summary), options.svg)) &&
                       (options.dot.empty() || write_output(fabric_dot(*fabric, summary), options.dot));
  if (!written) return kFoundErrors;
  if (to_stdout == 0 && !options.quiet) write_terminal(fabric_report(summary), terminal_width(), std::cout);
  return kFine;
}

}  // namespace railyard
