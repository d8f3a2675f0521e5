#include "cli/show_report.h"

#include <fmt/format.h>

#include <iostream>

#include "base/printable.h"
#include "base/version.h"
#include "cli/output.h"
#include "report/command_text.h"
#include "report/page.h"

namespace railyard {

namespace {

/// What a replay plays, and where: its scenario is no argument of its own.
std::string replayed(const Options& options) {
  const ReplayRequest& asked = options.replay;
  std::string text = " " + shell_word(asked.trace);
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) text += std::string(option) + shell_word(value);
  };
  add(" --scenario ", options.files.empty() ? std::string() : options.files.front());
  add(" --topology ", asked.topology);
  add(" --groups ", asked.groups);
  if (asked.format != "auto") add(" --format ", asked.format);
  if (asked.ranks) text += fmt::format(" --ranks {}", *asked.ranks);
  if (asked.compute_scale) text += fmt::format(" --compute-scale {}", *asked.compute_scale);
  return text;
}

/// What repeats it, without where it writes to.
std::string repeated(const std::string& command, const Options& options) {
  std::string text =
      "railyard " + command + (command == "replay" ? replayed(options) : " " + shell_word(options.files.front()));
  if (options.plan.network) text += " --network";
  for (const std::string& axis : options.plan.vary) text += " --vary " + shell_word(axis);
  for (const std::string& nodes : options.place.nodes) text += " --nodes " + shell_word(nodes);
  if (!options.cost.prices.empty()) text += " --prices " + shell_word(options.cost.prices);
  if (!options.sweep.figure.empty()) text += " --figure " + shell_word(options.sweep.figure);
  return text + set_words(overrides_of(options));
}

}  // namespace

int show_report(const std::string& command, const Report& report, const PageDrawings& drawings, bool is_silent,
                const Options& options) {
  is_silent = is_silent || options.quiet || options.json == "-" || options.page == "-";
  if (!is_silent) write_terminal(report, terminal_width(), std::cout);
  if (options.page.empty()) return kFine;
  const Document data = report_page(kVersion, repeated(command, options), report, drawings);
  if (!write_output(page(data), "-o", options)) return kFoundErrors;
  if (!is_silent) std::cout << "\npage: " << printable(options.page) << '\n';
  return kFine;
}

}  // namespace railyard
