// What each command takes, as options of the parser.
#pragma once

#include "cli/commands.h"

namespace CLI {
class App;
}

namespace railyard {

/// Adds the options that `takes` names to a command's parser; what is said there goes to `options`.
void declare_options(CLI::App& app, Takes takes, Options& options);

}  // namespace railyard
