// `railyard calibrate`: packets against flows on reference traffic, for the catalog.
#pragma once

#include "cli/options.h"

namespace railyard {

int calibrate_command(const Options& options);

}  // namespace railyard
