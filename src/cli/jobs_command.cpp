#include "cli/jobs_command.h"

#include <iostream>

#include "answer/interference.h"
#include "cli/output.h"
#include "cli/progress_line.h"

namespace railyard {

int run_jobs_command(const ClusterJobs& cluster, const Options& options) {
  if (!options.flows.empty() || !options.page.empty()) {
    std::cerr << "railyard: " << (options.flows.empty() ? "-o" : "--flows")
              << " is for a single job; --json has all that several jobs do to each other\n";
    return kBadInput;
  }
  Progress progress;
  const Result<Interference> found = [&] {
    const ProgressLine line(progress, options.quiet);
    return find_interference(cluster, {.threads = options.threads, .others = !options.no_advice}, progress);
  }();
  if (!found) return complain(found.error(), options);
  if (!write_json_output(interference_document(*found), options)) return kFoundErrors;
  if (!options.quiet && options.json != "-") write_terminal(interference_report(*found), terminal_width(), std::cout);
  return kFine;
}

}  // namespace railyard
