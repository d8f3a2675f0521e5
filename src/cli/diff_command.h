// `railyard diff`: what differs between two results that --json wrote.
#pragma once

#include "cli/options.h"

namespace railyard {

/// Tells 0 where nothing differs, 1 where something does and 2 where that cannot be found out, as diff and cmp do.
int diff_command(const Options& options);

}  // namespace railyard
