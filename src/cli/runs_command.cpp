#include "cli/runs_command.h"

#include <fmt/format.h>

#include <iostream>

#include "base/printable.h"
#include "cli/diff_command.h"
#include "cli/output.h"
#include "export/run_store.h"
#include "report/report.h"

namespace railyard {

namespace {

/// How many runs an action takes; without end where it is any number.
int wrong_number(const std::string& action, std::size_t given) {
  const char* const wanted = action == "show" && given != 1   ? "the number of one run"
                             : action == "diff" && given != 2 ? "the numbers of two runs"
                             : action == "rm" && given == 0   ? "numbers of runs"
                             : action == "list" && given > 0  ? "no numbers of runs"
                                                              : nullptr;
  if (!wanted) return kFine;
  std::cerr << fmt::format("railyard: runs {} takes {}; railyard runs list STORE shows them\n", action, wanted);
  return kBadInput;
}

Document run_document(const StoredRun& run) {
  Document out = Document::object();
  out.set("id", Document(run.id));
  const std::pair<const char*, const std::string*> texts[] = {
      {"name", &run.name},       {"file", &run.file},       {"engine", &run.engine},   {"fingerprint", &run.fingerprint},
      {"version", &run.version}, {"created", &run.created}, {"command", &run.command}, {"answer", &run.answer}};
  for (const auto& [key, text] : texts) out.set(key, Document(*text));
  return out;
}

int list(const std::vector<StoredRun>& runs, const Options& options) {
  Document document = Document::object();
  document.set("schema", Document(std::string("railyard-runs/1")));
  Document& rows = document.set("runs", Document::array());
  TextTable table{{"run", "when (UTC)", "scenario", "engine", "what came out"},
                  {Align::right, Align::left, Align::left, Align::left, Align::left},
                  {}};
  for (const StoredRun& run : runs) {
    rows.push(run_document(run));
    table.rows.push_back({std::to_string(run.id), run.created, run.name, run.engine, run.answer});
  }
  if (!write_results(document, options)) return kFoundErrors;
  if (options.json == "-" || options.quiet) return kFine;
  Report report{fmt::format("{} run{} in {}", runs.size(), runs.size() == 1 ? "" : "s", printable(options.store.file)), {}};
  report.sections.push_back({"", {table}});
  write_terminal(report, terminal_width(), std::cout);
  return kFine;
}

int show(const KeptRun& run, const Options& options) {
  if (!write_results(run.results, options)) return kFoundErrors;
  if (options.json == "-" || options.quiet) return kFine;
  Report report{fmt::format("run {}: {}", run.about.id, run.about.name), {}};
  TextTable about{{"", ""}, {Align::left, Align::left}, {}};
  about.rows = {{"when", run.about.created + " UTC"},
                {"engine", run.about.engine},
                {"version", run.about.version},
                {"fingerprint", run.about.fingerprint},
                {"again", run.about.command}};
  report.sections.push_back({"", {run.about.answer, about}});
  write_terminal(report, terminal_width(), std::cout);
  std::cout << "\nThe scenario:\n\n" << run.about.scenario;
  return kFine;
}

int diff(const KeptRun& a, const KeptRun& b, const Options& options) {
  const auto name = [](const KeptRun& run) { return fmt::format("run {}", run.about.id); };
  return show_differences({name(a), a.results}, {name(b), b.results}, options);
}

int remove(const Options& options) {
  const Result<std::size_t> removed = remove_runs(options.store.file, options.store.runs);
  if (!removed) return complain(removed.error(), options);
  if (!options.quiet) std::cout << fmt::format("{} removed\n", *removed == 1 ? "1 run" : fmt::format("{} runs", *removed));
  return kFine;
}

}  // namespace

int runs_command(const Options& options) {
  const StoreRequest& asked = options.store;
  if (const int wrong = wrong_number(asked.action, asked.runs.size())) return wrong;
  if (asked.action == "rm") return remove(options);
  if (asked.action == "list") {
    const auto runs = list_runs(asked.file);
    return runs ? list(*runs, options) : complain(runs.error(), options);
  }
  std::vector<KeptRun> loaded;
  for (const std::int64_t id : asked.runs) {
    Result<KeptRun> run = load_run(asked.file, id);
    if (!run) return complain(run.error(), options);
    loaded.push_back(std::move(*run));
  }
  return asked.action == "show" ? show(loaded[0], options) : diff(loaded[0], loaded[1], options);
}

}  // namespace railyard
