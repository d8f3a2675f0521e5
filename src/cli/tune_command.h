// `railyard tune`.
#pragma once

#include "cli/options.h"

namespace railyard {

int tune_command(const Options& options);

}  // namespace railyard
