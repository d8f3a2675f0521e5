// `railyard place SCENARIO --nodes FILE`.
#pragma once

#include "cli/options.h"

namespace railyard {

int place_command(const Options& options);

}  // namespace railyard
