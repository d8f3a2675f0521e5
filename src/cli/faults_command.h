// `railyard faults SCENARIO`.
#pragma once

#include "cli/options.h"

namespace railyard {

int faults_command(const Options& options);

}  // namespace railyard
