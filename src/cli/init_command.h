// `railyard init`: asks what a cluster is like and writes a scenario that describes it.
#pragma once

#include "cli/options.h"

namespace railyard {

/// Asks on a terminal alone; elsewhere what the command line does not say takes its default, and that is said.
int init_command(const Options& options);

}  // namespace railyard
