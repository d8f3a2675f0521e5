// railyard serve: scenarios run and shown over HTTP.
#pragma once

#include "cli/options.h"

namespace railyard {

int serve_command(const Options& options);

}  // namespace railyard
