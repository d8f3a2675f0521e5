// railyard accuracy [--engine analytic|flow] [--table NAME] [--csv] [--threads N]
#pragma once

#include "cli/options.h"

namespace railyard {

int accuracy_command(const Options& options);

}  // namespace railyard
