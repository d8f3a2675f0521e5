#include "cli/sweep_show.h"

#include "cli/output.h"
#include "cli/show_report.h"
#include "sweep/sweep_report.h"

namespace railyard {

int show_sweep(const SweepTable& table, const std::string& command, const Options& options) {
  std::optional<std::size_t> figure;
  if (!table.figures.empty() || !options.sweep.figure.empty()) {
    const Result<std::size_t> chosen = shown_figure(table, options.sweep.figure);
    if (!chosen) return complain(chosen.error(), options);
    figure = *chosen;
  }
  return show_report(command, sweep_report(table, figure), sweep_drawings(table, figure), options.sweep.csv == "-", options);
}

int show_command(const Options& options) {
  const Result<SweepTable> table = read_sweep_database(options.files.back());
  if (!table) return complain(table.error(), options);
  Options file = options;
  file.files = {options.files.back()};
  return show_sweep(*table, "sweep show", file);
}

}  // namespace railyard
