// `railyard cost`.
#pragma once

#include "cli/options.h"

namespace railyard {

int cost_command(const Options& options);

}  // namespace railyard
