// `railyard experts`: tokens to their experts and back, as DeepEP's kernels carry them.
#pragma once

#include "cli/options.h"

namespace railyard {

int experts_command(const Options& options);

}  // namespace railyard
