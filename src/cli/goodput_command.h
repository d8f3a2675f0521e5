// `railyard goodput`.
#pragma once

#include "cli/options.h"

namespace railyard {

int goodput_command(const Options& options);

}  // namespace railyard
