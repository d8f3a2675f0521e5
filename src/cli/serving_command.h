// railyard run, for a file with [serving].
#pragma once

#include "cli/options.h"
#include "plan/scenario.h"

namespace railyard {

int run_serving_command(const Scenario& scenario, const Options& options);

}  // namespace railyard
