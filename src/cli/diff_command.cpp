#include "cli/diff_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "base/json.h"
#include "cli/output.h"
#include "report/differences.h"

namespace railyard {

namespace {

constexpr std::size_t kMostNumbers = 20;

/// Runs by name, each with results.
bool has_runs(const Document& comparison) {
  const Document* const runs = comparison.find("runs");
  if (!runs || !runs->items()) return false;
  return std::all_of(runs->items()->begin(), runs->items()->end(), [](const Document& run) {
    const Document *const id = run.find("id"), *const results = run.find("results");
    return id && id->text() && results && results->members();
  });
}

Result<Document> read_results(const std::string& file) {
  const auto refuse = [&](std::string code, std::string message, std::string hint) {
    return Diagnostics{{Severity::error, std::move(code), std::move(message), std::move(hint), SourceSpan{file, 0, 0}}};
  };
  std::error_code ignored;
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file, ignored))
    return refuse("RY-DIF-001", "cannot read this file", "name a file that --json wrote");
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  Result<Document> document = parse_json(text, file, "RY-DIF-001");
  if (!document) return document;
  const Document* const schema = document->find("schema");
  const bool known =
      schema && schema->text() &&
      (*schema->text() == "railyard-results/1" || (*schema->text() == "railyard-comparison/1" && has_runs(*document)));
  if (!known)
    return refuse("RY-DIF-002", "this file holds no Railyard results", "name a file that railyard run or compare --json wrote");
  return document;
}

std::string name_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

/// Results to hold against each other, with a title each: one of a run, one for every scenario that two comparisons share.
struct Pair {
  std::string title;
  const Document *a, *b;
};

std::vector<Pair> pairs_of(const Document& a, const Document& b) {
  const Document *const x = a.find("runs"), *const y = b.find("runs");
  if (!x || !y) return {{"", &a, &b}};
  std::vector<Pair> pairs;
  for (const Document& run : *x->items())
    for (const Document& other : *y->items())
      if (*run.find("id")->text() == *other.find("id")->text())
        pairs.push_back({*run.find("id")->text(), run.find("results"), other.find("results")});
  return pairs;
}

}  // namespace

int diff_command(const Options& options) {
  const Result<Document> a = read_results(options.files[0]), b = read_results(options.files[1]);
  if (!a) return complain(a.error(), options);
  if (!b) return complain(b.error(), options);
  if (!a->find("runs") != !b->find("runs"))
    return complain({{Severity::error, "RY-DIF-003", "cannot compare a comparison with a single run",
                      "name two files of the same kind; a comparison holds the results of its runs under runs[].results",
                      SourceSpan{options.files[1], 0, 0}}},
                    options);
  const std::vector<Pair> pairs = pairs_of(*a, *b);
  if (pairs.empty())
    return complain({{Severity::error, "RY-DIF-003", "these comparisons have no scenario in common",
                      "compare the same scenarios in both; their names are runs[].id", SourceSpan{options.files[1], 0, 0}}},
                    options);
  Report report{fmt::format("{} against {}", options.files[0], options.files[1]), {}};
  Document document = Document::object();
  document.set("schema", Document(std::string("railyard-differences/1")));
  Document& list = document.set("pairs", Document::array());
  bool same = true;
  for (const Pair& pair : pairs) {
    const Differences found = differences(*pair.a, *pair.b);
    same = same && found.empty();
    Document& item = list.push(differences_document(found));
    item.set("run", Document(pair.title));
    if (found.empty()) continue;
    if (!pair.title.empty()) report.sections.push_back({pair.title, {}});
    for (Report::Section& one : differences_sections(found, name_of(options.files[0]), name_of(options.files[1]), kMostNumbers))
      report.sections.push_back(std::move(one));
  }
  if (same) report.sections.push_back({"", {std::string("Nothing differs but how long the runs took.")}});
  if (!write_json_output(document, options)) return kFoundErrors;
  if (options.json != "-" && !options.quiet) write_terminal(report, terminal_width(), std::cout);
  return same ? kFine : kFoundErrors;
}

}  // namespace railyard
