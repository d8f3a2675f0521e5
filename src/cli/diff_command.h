// `railyard diff`: what differs between two results that --json wrote.
#pragma once

#include "cli/options.h"

namespace railyard {

/// Tells 0 where nothing differs and 1 where something does, as diff does.
int diff_command(const Options& options);

}  // namespace railyard
