#include "cli/diff_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "base/read_text.h"
#include "cli/output.h"
#include "report/differences.h"
#include "report/results_file.h"

namespace railyard {

namespace {

constexpr std::size_t kLargestFile = 64 << 20;

Result<Document> read_results(const std::string& file) {
  const auto text = read_text(file, kLargestFile);
  if (text) return parse_results(*text, file);
  const bool too_large = text.error() == ReadProblem::too_large;
  return Diagnostic{Severity::error, "RY-DIF-001",
                    too_large ? "this file is larger than " + size_limit_text(kLargestFile) : "cannot read this file",
                    "name a file that --json wrote", SourceSpan{file, 0, 0}};
}

std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

}  // namespace

int show_differences(const NamedResults& a, const NamedResults& b, const Options& options) {
  const auto pairs = pair_results(a.results, b.results, b.name);
  if (!pairs) return complain(pairs.error(), options);
  Report report{fmt::format("{} against {}", a.name, b.name), {}};
  Document document = Document::object();
  document.set("schema", Document(std::string("railyard-differences/1")));
  Document& list = document.set("pairs", Document::array());
  bool same = true;
  for (const ResultsPair& pair : *pairs) {
    const Differences found = differences(*pair.a, *pair.b);
    same = same && found.empty();
    Document& item = list.push(differences_document(found));
    item.set("run", Document(pair.title));
    if (found.empty()) continue;
    std::vector<Report::Section> sections = differences_sections(found, stem_of(a.name), stem_of(b.name), options.all);
    sections.front().title = pair.title;
    for (Report::Section& one : sections) report.sections.push_back(std::move(one));
  }
  if (same) report.sections.push_back({"", {std::string("Nothing differs but how long the runs took.")}});
  if (!write_results(document, options)) return kBadInput;
  if (options.json != "-" && !options.quiet) write_terminal(report, terminal_width(), std::cout);
  return same ? kFine : kFoundErrors;
}

int diff_command(const Options& options) {
  const Result<Document> a = read_results(options.files[0]), b = read_results(options.files[1]);
  if (!a) return complain(a.error(), options);
  if (!b) return complain(b.error(), options);
  return show_differences({options.files[0], *a}, {options.files[1], *b}, options);
}

}  // namespace railyard
