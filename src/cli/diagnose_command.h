// `railyard diagnose`.
#pragma once

#include "cli/options.h"

namespace railyard {

int diagnose_command(const Options& options);

}  // namespace railyard
