// `railyard init`: asks what a cluster is like and writes a scenario that describes it.
#pragma once

#include "cli/options.h"

namespace railyard {

/// Asks on a terminal; elsewhere reads a line for every question that no flag answers. Where lines end, or with --defaults, the
/// rest takes its default, and that is said.
int init_command(const Options& options);

}  // namespace railyard
