#include "cli/calibrate_command.h"

#include <iostream>

#include "base/version.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "tools/calibrate/calibrate.h"

namespace railyard {

namespace {

std::optional<TransportKind> kind_of(const std::string& name) {
  for (const TransportKind kind : {TransportKind::roce, TransportKind::infiniband, TransportKind::tcp, TransportKind::uec})
    if (name == name_of(kind)) return kind;
  return std::nullopt;
}

}  // namespace

int calibrate_command(const Options& options) {
  const CalibrateRequest request{.kind = kind_of(options.kind), .threads = options.threads};
  Progress progress;
  const auto rows = [&] {
    const ProgressLine line(progress, options.quiet);
    return calibrate(request, builtin_catalog(), progress);
  }();
  if (!rows) return complain(rows.error(), options);
  const std::string command = "railyard calibrate" + (options.kind.empty() ? "" : " " + options.kind);
  if (!options.write.empty() && !write_output(calibrate_toml(*rows, command, kVersion), "--write", options))
    return kFoundErrors;
  if (options.write != "-" && !options.quiet) write_terminal(calibrate_report(*rows), terminal_width(), std::cout);
  return kFine;
}

}  // namespace railyard
