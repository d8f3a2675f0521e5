// `railyard lint`.
#pragma once

#include "cli/options.h"

namespace railyard {

int lint_command(const Options& options);

}  // namespace railyard
