// `railyard collective`: a sweep of one collective, printed as nccl-tests prints it.
#pragma once

#include "cli/options.h"

namespace railyard {

int collective_command(const Options& options);

}  // namespace railyard
