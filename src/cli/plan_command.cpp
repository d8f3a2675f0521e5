#include "cli/plan_command.h"

#include <fmt/format.h>

#include <iostream>

#include "base/version.h"
#include "catalog/catalog.h"
#include "cli/crew_command.h"
#include "cli/output.h"
#include "cli/show_report.h"
#include "report/command_text.h"
#include "report/page.h"
#include "tools/plan/job_plan.h"
#include "tools/plan/network_plan.h"

namespace railyard {

namespace {

std::string command_text(const Options& options) {
  std::string text = "railyard plan " + shell_word(options.files.front());
  for (const std::string& axis : options.plan.vary) text += " --vary " + shell_word(axis);
  if (options.plan.only) text += " --only";
  if (options.plan.memory < 1) text += fmt::format(" --memory {:g}", options.plan.memory);
  return text + set_words(overrides_of(options));
}

/// The document, with what the head of a page has.
Document plan_page(const Document& plan, const Options& options) {
  Document data = Document::object();
  data.set("railyard", Document(std::string(kVersion)));
  data.set("kind", Document(std::string("plan")));
  data.set("title", Document("A plan for " + *plan.find("name")->text()));
  data.set("command", Document(command_text(options)));
  Document& verdict = data.set("verdict", Document::object());
  Document& sentences = verdict.set("sentences", Document::array());
  Document& sentence = sentences.push(Document::object());
  sentence.set("about", Document(std::string("plan")));
  sentence.set("text", *plan.find("answer"));
  data.set("plan", plan);
  return data;
}

PlanQuestion question_of(const Options& options, const Crew& crew) {
  PlanQuestion question{options.files.front(), overrides_of(options), options.plan, crew};
  question.request.journal = options.journal;
  return question;
}

int plan_network(const Options& options) {
  return answer_with_crew<PlannedNetwork>(
      options,
      [&](const Scenario& scenario, const Crew& crew, Progress& progress) {
        return find_network_plan(question_of(options, crew), scenario, builtin_catalog(), progress);
      },
      [&](const PlannedNetwork& plan) -> int {
        if (!write_results(network_plan_document(plan), options)) return kFoundErrors;
        return show_report("plan", network_plan_report(plan), network_plan_bars(plan), false, options);
      });
}

int show_plan(const PlannedJob& plan, const Options& options) {
  const Document document = job_plan_document(plan);
  if (!write_results(document, options)) return kFoundErrors;
  const bool is_silent = options.quiet || options.json == "-" || options.page == "-";
  if (!is_silent) write_terminal(job_plan_report(plan), terminal_width(), std::cout);
  if (options.page.empty()) return kFine;
  if (!write_output(page(plan_page(document, options)), "-o", options)) return kFoundErrors;
  if (!is_silent) std::cout << "\npage: " << printable(options.page) << '\n';
  return kFine;
}

}  // namespace

int plan_command(const Options& options) {
  if (options.plan.network) return plan_network(options);
  return answer_with_crew<PlannedJob>(
      options,
      [&](const Scenario& scenario, const Crew& crew, Progress& progress) {
        return find_job_plan(question_of(options, crew), scenario, builtin_catalog(), progress);
      },
      [&](const PlannedJob& plan) { return show_plan(plan, options); });
}

}  // namespace railyard
