#include "cli/capture_command.h"

#include <iostream>

#include "capture/mapped_file.h"
#include "cli/output.h"
#include "cli/show_report.h"
#include "tools/capture/capture_report.h"

namespace railyard {

int capture_command(const Options& options) {
  const std::string& name = options.files.front();
  const Result<MappedFile> file = MappedFile::open(name);
  if (!file) return complain(file.error(), options);
  const CaptureReading reading{name, summarise(file->bytes(), name)};
  if (has_errors(reading.summary.diagnostics)) return complain(reading.summary.diagnostics, options);
  if (!write_results(capture_document(reading), options)) return kFoundErrors;
  if (!options.traffic.empty() && !write_output(capture_traffic(reading.summary), "--traffic", options)) return kFoundErrors;
  const bool is_silent = options.quiet || options.json == "-" || options.traffic == "-" || options.page == "-";
  if (is_silent) show_findings(reading.summary.diagnostics, std::cerr);
  return show_report("capture", capture_report(reading), capture_bars(reading), is_silent, options);
}

}  // namespace railyard
