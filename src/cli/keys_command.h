// railyard keys [SECTION] [--markdown]
#pragma once

#include "cli/options.h"

namespace railyard {

int keys_command(const Options& options);

}  // namespace railyard
