// railyard completion bash|zsh|fish
#pragma once

#include "cli/options.h"

namespace railyard {

int completion_command(const Options& options);

}  // namespace railyard
