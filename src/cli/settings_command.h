// `railyard settings`.
#pragma once

#include "cli/options.h"

namespace railyard {

int settings_command(const Options& options);

}  // namespace railyard
