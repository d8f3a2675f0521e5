// `railyard replay`: a trace on the machines and the network of a scenario, or of a drawing.
#pragma once

#include "cli/options.h"

namespace railyard {

int replay_command(const Options& options);

}  // namespace railyard
