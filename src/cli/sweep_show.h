// What a sweep says, on the terminal and as a page.
#pragma once

#include "cli/options.h"
#include "sweep/table.h"

namespace railyard {

/// `command` is what was said: "sweep". Returns an ExitCode.
int show_sweep(const SweepTable& table, const std::string& command, const Options& options);

/// railyard sweep show FILE.
int show_command(const Options& options);

}  // namespace railyard
