// railyard sweep: many runs of one scenario.
#pragma once

#include "cli/options.h"

namespace railyard {

int sweep_command(const Options& options);

}  // namespace railyard
