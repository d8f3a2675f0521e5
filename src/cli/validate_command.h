// `railyard validate`.
#pragma once

#include "cli/options.h"

namespace railyard {

int validate_command(const Options& options);

}  // namespace railyard
