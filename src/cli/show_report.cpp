#include "cli/show_report.h"

#include <iostream>

#include "base/printable.h"
#include "cli/output.h"
#include "cli/version.h"
#include "report/command_text.h"
#include "report/page.h"

namespace railyard {

namespace {

/// What repeats it, without where it writes to.
std::string repeated(const std::string& command, const Options& options) {
  std::string text = "railyard " + command + " " + shell_word(options.files.front());
  if (options.plan.network) text += " --network";
  for (const std::string& axis : options.plan.vary) text += " --vary " + shell_word(axis);
  for (const std::string& nodes : options.place.nodes) text += " --nodes " + shell_word(nodes);
  if (!options.cost.prices.empty()) text += " --prices " + shell_word(options.cost.prices);
  return text + set_words(overrides_of(options));
}

}  // namespace

int show_report(const std::string& command, const Report& report, const std::vector<PageBars>& bars, bool is_silent,
                const Options& options) {
  is_silent = is_silent || options.quiet || options.json == "-" || options.page == "-";
  if (!is_silent) write_terminal(report, terminal_width(), std::cout);
  if (options.page.empty()) return kFine;
  const Document data = report_page(kVersion, repeated(command, options), report, bars);
  if (!write_output(page(data), "-o", options)) return kFoundErrors;
  if (!is_silent) std::cout << "\npage: " << printable(options.page) << '\n';
  return kFine;
}

}  // namespace railyard
