#include "cli/serving_command.h"

#include <iostream>

#include "answer/serving.h"
#include "base/version.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cli/progress_log.h"
#include "report/command_text.h"
#include "report/page.h"

namespace railyard {

namespace {

/// The document, with what the head of a page has.
Document serving_page(const Document& serving, const Options& options) {
  Document data = Document::object();
  data.set("railyard", Document(std::string(kVersion)));
  data.set("kind", Document(std::string("serving")));
  data.set("title", *serving.find("name"));
  data.set("command", Document("railyard run " + shell_word(options.files.front()) + set_words(overrides_of(options))));
  data.set("verdict", Document::object()).set("sentences", *serving.find("answer"));
  data.set("serving", serving);
  if (const Document* const parts = serving.find("parts")) data.set("jobs", *parts);
  return data;
}

}  // namespace

int run_serving_command(const Scenario& scenario, const Options& options) {
  Progress progress;
  const Result<ServingAnswer> found = [&] {
    const ProgressLine line(progress, options.quiet);
    const ProgressLog log(progress, options.progress_fd);
    return find_serving(scenario, options.threads, progress);
  }();
  if (!found) return complain(found.error(), options);
  const Document document = serving_document(*found);
  if (!write_results(document, options)) return kFoundErrors;
  if (!options.page.empty() && !write_output(page(serving_page(document, options)), "-o", options)) return kFoundErrors;
  const bool is_silent = options.quiet || options.json == "-" || options.page == "-";
  if (!is_silent) write_terminal(serving_report(*found), terminal_width(), std::cout);
  if (!is_silent && !options.page.empty()) std::cout << "\npage: " << printable(options.page) << '\n';
  return kFine;
}

}  // namespace railyard
