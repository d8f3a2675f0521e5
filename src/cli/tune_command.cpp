#include "cli/tune_command.h"

#include <iostream>

#include "catalog/catalog.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cli/settings_command.h"
#include "cli/show_report.h"
#include "tools/tune/tune.h"

namespace railyard {

namespace {

/// Files of devices with the best settings, by the writers of `railyard settings`.
int write_devices(const Tuned& tuned, const Options& options) {
  std::vector<std::string> overrides = overrides_of(options);
  const std::vector<std::string>& best = tuned.best.front().set;
  if (tuned.is_better()) overrides.insert(overrides.end(), best.begin(), best.end());
  overrides.emplace_back("engine.fidelity=packet");
  const Result<Scenario> scenario = load_input(options.files.front(), overrides, options, {.workload = false});
  if (!scenario) return complain(scenario.error(), options);
  const Result<std::vector<SettingsFile>> files = settings_files(*scenario, builtin_catalog(), options.settings.languages);
  if (!files) return complain(files.error(), options);
  return write_settings_files(*files, "--to", options.tune.folder, options.quiet || options.json == "-") ? kFine : kFoundErrors;
}

}  // namespace

int tune_command(const Options& options) {
  if (options.settings.languages.empty() != options.tune.folder.empty()) {
    std::cerr << "railyard: --for and --to go together: languages of devices, and a folder for their files\n";
    return kBadInput;
  }
  const Result<Scenario> scenario = load_input(options.files.front(), overrides_of(options), options);
  if (!scenario) return complain(scenario.error(), options);
  if (options.outputs->overwrite_inputs()) return kBadInput;
  const TuneQuestion question{options.files.front(), overrides_of(options), options.tune,         options.plan.vary,
                              options.plan.only,     options.tune.keep,     options.plan.journal, options.threads};
  Progress progress;
  const Result<Tuned> tuned = [&] {
    const ProgressLine line(progress, options.quiet);
    return find_settings(question, builtin_catalog(), progress);
  }();
  if (!tuned) return complain(tuned.error(), options);
  if (!write_results(tune_document(*tuned), options)) return kFoundErrors;
  const int shown = show_report("tune", tune_report(*tuned), tune_bars(*tuned), false, options);
  return shown != kFine || options.tune.folder.empty() ? shown : write_devices(*tuned, options);
}

}  // namespace railyard
