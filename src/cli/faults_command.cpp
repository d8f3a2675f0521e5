#include "cli/faults_command.h"

#include <iostream>

#include "base/version.h"
#include "catalog/catalog.h"
#include "cli/crew_command.h"
#include "cli/output.h"
#include "report/command_text.h"
#include "report/page.h"
#include "tools/faults/faults.h"

namespace railyard {

namespace {

Document sentence(const char* about, const Document& text) {
  Document out = Document::object();
  out.set("about", Document(std::string(about)));
  out.set("text", text);
  return out;
}

/// The document, with what the head of a page has.
Document faults_page(const Document& faults, const Options& options) {
  const std::string file = options.files.front();
  Document data = Document::object();
  data.set("railyard", Document(std::string(kVersion)));
  data.set("kind", Document(std::string("faults")));
  data.set("title", Document("What failures cost: " + *faults.find("name")->text()));
  data.set("command", Document("railyard faults " + shell_word(file) + (options.singles ? " --singles" : "") +
                               set_words(overrides_of(options))));
  Document& verdict = data.set("verdict", Document::object());
  Document& sentences = verdict.set("sentences", Document::array());
  sentences.push(sentence("cost", *faults.find("answer")));
  sentences.push(sentence("manner", *faults.find("manner")));
  data.set("faults", faults);
  return data;
}

int show_faults(const Faults& faults, const Options& options) {
  const Document document = faults_document(faults);
  if (!write_results(document, options)) return kFoundErrors;
  const bool is_silent = options.quiet || options.json == "-" || options.page == "-";
  if (!is_silent) write_terminal(faults_report(faults), terminal_width(), std::cout);
  if (options.page.empty()) return kFine;
  if (!write_output(page(faults_page(document, options)), "-o", options)) return kFoundErrors;
  if (!is_silent) std::cout << "\npage: " << printable(options.page) << '\n';
  return kFine;
}

}  // namespace

int faults_command(const Options& options) {
  return answer_with_crew<Faults>(
      options,
      [&](const Scenario&, const Crew& crew, Progress& progress) {
        const FaultsRequest request{.scenario = options.files.front(),
                                    .overrides = overrides_of(options),
                                    .crew = crew,
                                    .pairs = !options.singles,
                                    .journal = options.journal};
        return find_faults(request, builtin_catalog(), progress);
      },
      [&](const Faults& faults) { return show_faults(faults, options); });
}

}  // namespace railyard
