// railyard accuracy [--table NAME] [--csv]
#pragma once

#include "cli/options.h"

namespace railyard {

int accuracy_command(const Options& options);

}  // namespace railyard
