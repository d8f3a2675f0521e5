#include "report/results_file.h"

#include <algorithm>
#include <map>

#include "base/json.h"

namespace railyard {

namespace {

std::string_view schema_of(const Document& document) {
  const Document* const schema = document.find("schema");
  return schema && schema->text() ? std::string_view(*schema->text()) : std::string_view();
}

bool is_comparison(const Document& document) { return schema_of(document) == "railyard-comparison/1"; }

/// Runs by name, each with results.
bool has_runs(const Document& comparison) {
  const Document* const runs = comparison.find("runs");
  if (!runs || !runs->items()) return false;
  return std::all_of(runs->items()->begin(), runs->items()->end(), [](const Document& run) {
    const Document *const id = run.find("id"), *const results = run.find("results");
    return id && id->text() && results && results->members();
  });
}

Diagnostics refusal(const char* code, std::string message, std::string hint, const std::string& file) {
  return {{Severity::error, code, std::move(message), std::move(hint), SourceSpan{file, 0, 0}}};
}

}  // namespace

Result<Document> parse_results(std::string_view text, const std::string& file) {
  Result<Document> document = parse_json(text, file, "RY-DIF-001");
  if (!document) return document;
  const bool is_run = schema_of(*document) == "railyard-results/1";
  if (!is_run && !(is_comparison(*document) && has_runs(*document)))
    return refusal("RY-DIF-002", "this file holds no Railyard results", "name a file that railyard run or compare --json wrote",
                   file);
  return document;
}

Result<std::vector<ResultsPair>> pair_results(const Document& a, const Document& b, const std::string& file) {
  if (is_comparison(a) != is_comparison(b))
    return refusal("RY-DIF-003", "cannot compare a comparison with a single run",
                   "name two files of the same kind; a comparison holds the results of its runs under runs[].results", file);
  if (!is_comparison(a)) return std::vector<ResultsPair>{{"", &a, &b}};
  std::map<std::string_view, const Document*> others;  // of several that are called alike the first
  for (const Document& run : *b.find("runs")->items()) others.emplace(*run.find("id")->text(), run.find("results"));
  std::vector<ResultsPair> pairs;
  for (const Document& run : *a.find("runs")->items())
    if (const auto other = others.find(*run.find("id")->text()); other != others.end())
      pairs.push_back({std::string(other->first), run.find("results"), other->second});
  if (pairs.empty())
    return refusal("RY-DIF-003", "these comparisons have no scenario in common",
                   "compare the same scenarios in both; their names are runs[].id", file);
  return pairs;
}

}  // namespace railyard
