// `railyard settings`.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "tools/settings/settings.h"

namespace railyard {

int settings_command(const Options& options);

/// What would keep files from being written to the folder that `option` names: said on stderr, before there is anything to
/// write. False if something would. Nothing is made.
bool can_write_settings_files(const std::vector<SettingsFile>& files, const std::string& option, const std::string& folder);

/// Into the folder that `option` names, which is made if it is not there. False (and a sentence on stderr) if that fails.
bool write_settings_files(const std::vector<SettingsFile>& files, const std::string& option, const std::string& folder,
                          bool quiet);

}  // namespace railyard
