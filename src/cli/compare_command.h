// `railyard compare`.
#pragma once

#include "cli/options.h"

namespace railyard {

int compare_command(const Options& options);

}  // namespace railyard
