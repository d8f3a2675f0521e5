// How files are read: from disk, from the program itself, or from what a test makes up.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"

namespace railyard {

/// Reads a file's text; used for the scenario itself and for what it extends.
using ReadFile = std::function<Result<std::string>(const std::filesystem::path&)>;

}  // namespace railyard
