// railyard fabric FILE [--svg FILE] [--dot FILE] [--json FILE]
#pragma once

#include "cli/options.h"

namespace railyard {

int fabric_command(const Options& options);

}  // namespace railyard
