// What commands write to files, as options of the parser.
#pragma once

#include "cli/commands.h"

namespace CLI {
class App;
}

namespace railyard {

/// Adds the outputs that `takes` names to a command's parser; where they go is said to `options`.
void declare_outputs(CLI::App& app, Takes takes, Options& options);

}  // namespace railyard
