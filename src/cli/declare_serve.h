// Options of `serve`.
#pragma once

#include "cli/options.h"

namespace CLI {
class App;
}

namespace railyard {

void declare_serve(CLI::App& app, Options& options);

}  // namespace railyard
