// `railyard runs`: what a store of runs holds.
#pragma once

#include "cli/options.h"

namespace railyard {

int runs_command(const Options& options);

}  // namespace railyard
