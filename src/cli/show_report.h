// A report for whoever asked: on the terminal, and as a page (-o) where the command has none of its own.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "report/report_page.h"

namespace railyard {

/// Writes both, where they are wanted. `command` is the word that was said: "cost". Returns an ExitCode.
int show_report(const std::string& command, const Report& report, const PageDrawings& drawings, bool is_silent,
                const Options& options);

}  // namespace railyard
