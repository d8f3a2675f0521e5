// railyard catalog [KIND [NAME]]
#pragma once

#include "cli/options.h"

namespace railyard {

int catalog_command(const Options& options);

}  // namespace railyard
