#include "cli/goodput_command.h"

#include <iostream>

#include "catalog/catalog.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "tools/goodput/goodput.h"
#include "tools/goodput/timeline.h"

namespace railyard {

int goodput_command(const Options& options) {
  const std::string& file = options.files.front();
  const Result<Scenario> scenario = load_input(file, overrides_of(options), options);
  if (!scenario) return complain(scenario.error(), options);
  if (options.outputs->overwrite_inputs()) return kBadInput;
  // A scenario from stdin cannot be read twice.
  const GoodputQuestion question{file, overrides_of(options), !options.no_advice && file != "-"};
  const Result<Goodput> goodput = [&] {
    Progress progress;
    const ProgressLine line(progress, options.quiet);
    return goodput_of(*scenario, options.goodput, question, builtin_catalog(), options.threads, progress);
  }();
  if (!goodput) return complain(goodput.error(), options);
  if (!write_results(goodput_document(*goodput), options)) return kFoundErrors;
  if (!options.svg.empty() && !write_output(timeline_svg(*goodput), "--svg", options)) return kFoundErrors;
  const bool is_silent = options.quiet || options.json == "-" || options.svg == "-";
  if (!is_silent) write_terminal(goodput_report(*goodput), terminal_width(), std::cout);
  return kFine;
}

}  // namespace railyard
