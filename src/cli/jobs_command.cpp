#include "cli/jobs_command.h"

#include <iostream>

#include "answer/interference.h"
#include "base/version.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cli/progress_log.h"
#include "report/command_text.h"
#include "report/page.h"

namespace railyard {

namespace {

/// The document, with what the head of a page has.
Document jobs_page(const Document& jobs, const Options& options) {
  Document data = Document::object();
  data.set("railyard", Document(std::string(kVersion)));
  data.set("kind", Document(std::string("jobs")));
  data.set("title", *jobs.find("name"));
  data.set("command", Document("railyard run " + shell_word(options.files.front()) + (options.no_advice ? " --no-advice" : "") +
                               set_words(overrides_of(options))));
  data.set("verdict", Document::object()).set("sentences", *jobs.find("answer"));
  data.set("jobs", jobs);
  return data;
}

}  // namespace

int run_jobs_command(const ClusterJobs& cluster, const Options& options) {
  Progress progress;
  const Result<Interference> found = [&] {
    const ProgressLine line(progress, options.quiet);
    const ProgressLog log(progress, options.progress_fd);
    return find_interference(cluster, {.threads = options.threads, .others = !options.no_advice}, progress);
  }();
  if (!found) return complain(found.error(), options);
  const Document document = interference_document(*found);
  if (!write_results(document, options)) return kFoundErrors;
  if (!options.page.empty() && !write_output(page(jobs_page(document, options)), "-o", options)) return kFoundErrors;
  const bool is_silent = options.quiet || options.json == "-" || options.page == "-";
  if (!is_silent) write_terminal(interference_report(*found), terminal_width(), std::cout);
  if (!is_silent && !options.page.empty()) std::cout << "\npage: " << printable(options.page) << '\n';
  return kFine;
}

}  // namespace railyard
