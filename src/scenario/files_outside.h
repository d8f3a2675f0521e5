// Which files a scenario names, for those who run what somebody else wrote.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "base/diagnostic.h"

namespace railyard {

/// Keys whose value is the name of a file or a folder, beside `extends`: "traffic.file". Of jobs, too.
std::span<const std::string_view> keys_that_name_files();

/// RY-WEB-040 for every key of the scenario at `path` that names something that is not in `folder`, whichever links lead there;
/// what is shipped with the program may be named. Nothing where the scenario cannot be read or is no TOML: whoever loads it
/// says so.
Diagnostics files_outside(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace railyard
