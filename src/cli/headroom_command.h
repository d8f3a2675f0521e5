// `railyard headroom`.
#pragma once

#include "cli/options.h"

namespace railyard {

int headroom_command(const Options& options);

}  // namespace railyard
