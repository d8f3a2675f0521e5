#include "cli/tune_command.h"

#include <iostream>
#include <optional>

#include "catalog/catalog.h"
#include "cli/crew_command.h"
#include "cli/output.h"
#include "cli/settings_command.h"
#include "cli/show_report.h"
#include "sweep/mpi/load_link.h"
#include "tools/tune/tune.h"

namespace railyard {

namespace {

/// Files of devices with these settings, by the writers of `railyard settings`.
Result<std::vector<SettingsFile>> device_files(const std::vector<std::string>& set, const Options& options) {
  std::vector<std::string> overrides = overrides_of(options);
  overrides.insert(overrides.end(), set.begin(), set.end());
  overrides.emplace_back("engine.fidelity=packet");
  const Result<Scenario> scenario = load_input(options.files.front(), overrides, options, {.workload = false});
  if (!scenario) return scenario.error();
  return settings_files(*scenario, builtin_catalog(), options.settings.languages);
}

/// What would go wrong after a long search, with the settings that there are: kFine if nothing.
int check_devices(const Options& options) {
  if (options.tune.folder.empty()) return kFine;
  const Result<std::vector<SettingsFile>> files = device_files({}, options);
  if (!files) return complain(files.error(), options);
  return can_write_settings_files(*files, "--to", options.tune.folder) ? kFine : kBadInput;
}

int write_devices(const Tuned& tuned, const Options& options) {
  const Result<std::vector<SettingsFile>> files =
      device_files(tuned.is_better() ? tuned.best.front().set : std::vector<std::string>{}, options);
  if (!files) return complain(files.error(), options);
  return write_settings_files(*files, "--to", options.tune.folder, options.quiet || options.json == "-") ? kFine : kFoundErrors;
}

}  // namespace

int tune_command(const Options& options) {
  if (options.settings.languages.empty() != options.tune.folder.empty()) {
    std::cerr << "railyard: --for and --to go together: languages of devices, and a folder for their files\n";
    return kBadInput;
  }
  const std::optional<TeamPlace> place = team_place();
  if (!place || place->rank == 0)  // mpirun ends the others
    if (const int wrong = check_devices(options); wrong != kFine) return wrong;
  return answer_with_crew<Tuned>(
      options,
      [&](const Scenario&, const Crew& crew, Progress& progress) {
        const TuneQuestion question{options.files.front(), overrides_of(options), options.tune,    options.plan.vary,
                                    options.plan.only,     options.tune.keep,     options.journal, crew};
        return find_settings(question, builtin_catalog(), progress);
      },
      [&](const Tuned& tuned) -> int {
        if (!write_results(tune_document(tuned), options)) return kFoundErrors;
        const int shown = show_report("tune", tune_report(tuned), tune_bars(tuned), false, options);
        return shown != kFine || options.tune.folder.empty() ? shown : write_devices(tuned, options);
      });
}

}  // namespace railyard
