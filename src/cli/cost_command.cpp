#include "cli/cost_command.h"

#include "answer/cable_list.h"
#include "answer/price_list.h"
#include "catalog/catalog.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cli/show_report.h"
#include "fabric/build.h"
#include "scenario/load.h"
#include "tools/cost/cost.h"

namespace railyard {

namespace {

/// What --prices says, then --set and --seed, which win.
Result<std::vector<std::string>> overrides_with_prices(const Options& options) {
  std::vector<std::string> overrides;
  if (const std::string& file = options.cost.prices; !file.empty()) {
    const Result<std::string> text = read_file_from_disk(file);
    if (!text)
      return Diagnostic{Severity::error, "RY-CST-002", "cannot read the prices: " + text.error().front().message,
                        "name a file with [prices]", SourceSpan{file, 0, 0}};
    Result<std::vector<std::string>> prices = price_overrides(*text, file);
    if (!prices) return prices.error();
    overrides = std::move(*prices);
  }
  for (std::string& one : overrides_of(options)) overrides.push_back(std::move(one));
  return overrides;
}

bool write_cables(const Scenario& scenario, const Options& options) {
  if (options.cost.cables.empty()) return true;
  const Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);  // find_cost refuses what cannot be wired
  return write_output(cable_csv(cable_list(scenario, *fabric, builtin_catalog()), fabric->topology), "--cables", options);
}

}  // namespace

int cost_command(const Options& options) {
  const Result<std::vector<std::string>> overrides = overrides_with_prices(options);
  if (!overrides) return complain(overrides.error(), options);
  const std::string& file = options.files.front();
  if (!options.cost.prices.empty()) options.outputs->keep({options.cost.prices});
  const Result<Scenario> scenario = load_input(file, *overrides, options, {.workload = false});
  if (!scenario) return complain(scenario.error(), options);
  if (options.outputs->overwrite_inputs()) return kBadInput;
  const Result<CostAnswer> answer = [&] {
    Progress progress;
    const ProgressLine line(progress, options.quiet);
    const CostQuestion asked{{file, *overrides, {}}, options.cost.links, options.cost.no_links};
    return find_cost(*scenario, asked, builtin_catalog(), options.threads, progress);
  }();
  if (!answer) return complain(answer.error(), options);
  const bool written = write_results(cost_document(*answer), options) &&
                       (options.cost.csv.empty() || write_output(cost_csv(*answer), "--csv", options)) &&
                       write_cables(*scenario, options);
  if (!written) return kFoundErrors;
  const bool is_silent = options.cost.csv == "-" || options.cost.cables == "-";
  return show_report("cost", cost_report(*answer), cost_bars(*answer), is_silent, options);
}

}  // namespace railyard
