// `railyard settings`.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "tools/settings/settings.h"

namespace railyard {

int settings_command(const Options& options);

/// Into the folder that `option` names, which is made if it is not there. False (and a sentence on stderr) if that fails.
bool write_settings_files(const std::vector<SettingsFile>& files, const std::string& option, const std::string& folder,
                          bool quiet);

}  // namespace railyard
