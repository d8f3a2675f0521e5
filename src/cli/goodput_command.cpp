#include "cli/goodput_command.h"

#include <iostream>

#include "catalog/catalog.h"
#include "cli/crew_command.h"
#include "cli/output.h"
#include "tools/goodput/goodput.h"
#include "tools/goodput/timeline.h"

namespace railyard {

namespace {

int show_goodput(const Goodput& goodput, const Options& options) {
  if (!write_results(goodput_document(goodput), options)) return kFoundErrors;
  if (!options.svg.empty() && !write_output(timeline_svg(goodput), "--svg", options)) return kFoundErrors;
  const bool is_silent = options.quiet || options.json == "-" || options.svg == "-";
  if (!is_silent) write_terminal(goodput_report(goodput), terminal_width(), std::cout);
  return kFine;
}

}  // namespace

int goodput_command(const Options& options) {
  const std::string& file = options.files.front();
  // A scenario from stdin cannot be read twice.
  const GoodputQuestion question{file, overrides_of(options), !options.no_advice && file != "-"};
  GoodputRequest request = options.goodput;
  request.journal = options.journal;
  return answer_with_crew<Goodput>(
      options,
      [&](const Scenario& scenario, const Crew& crew, Progress& progress) {
        return goodput_of(scenario, request, question, builtin_catalog(), crew, progress);
      },
      [&](const Goodput& goodput) { return show_goodput(goodput, options); });
}

}  // namespace railyard
