// `railyard plan`.
#pragma once

#include "cli/options.h"

namespace railyard {

int plan_command(const Options& options);

}  // namespace railyard
