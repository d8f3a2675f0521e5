#include "report/results_file.h"

#include <fmt/format.h>

#include <map>

#include "base/json.h"

namespace railyard {

namespace {

std::string_view schema_of(const Document& document) {
  const Document* const schema = document.find("schema");
  return schema && schema->text() ? std::string_view(*schema->text()) : std::string_view();
}

bool is_comparison(const Document& document) { return schema_of(document) == "railyard-comparison/1"; }

/// What `railyard run` writes into every results file.
constexpr const char* kTexts[] = {"name", "engine", "fingerprint"};
constexpr const char* kLists[] = {"inputs", "diagnostics"};

/// Why `results` are not those of a run; nothing if they are. `where`: their place in the file.
std::string problem_of_run(const Document& results, const std::string& where) {
  const auto is_missing = [&](const char* key) {
    return fmt::format("{} has no \"{}\", which results of a run have", where, key);
  };
  const auto is_other = [&](const char* key, std::string_view kind) {
    return fmt::format("{}: \"{}\" is {}, not {}", where, key, results.find(key)->kind_name(), kind);
  };
  for (const char* key : kTexts) {
    if (!results.find(key)) return is_missing(key);
    if (!results.find(key)->text()) return is_other(key, "a string");
  }
  for (const char* key : kLists) {
    if (!results.find(key)) return is_missing(key);
    if (!results.find(key)->items()) return is_other(key, "an array");
  }
  return results.find("runs") ? fmt::format("{} has \"runs\", which only a comparison has", where) : std::string();
}

/// The same of a comparison: runs by name, each with results.
std::string problem_of_comparison(const Document& comparison) {
  const Document* const runs = comparison.find("runs");
  if (!runs || !runs->items()) return fmt::format("\"runs\" is {}, not an array", runs ? runs->kind_name() : "missing");
  for (std::size_t i = 0; i < runs->items()->size(); i++) {
    const Document& run = (*runs->items())[i];
    const Document *const id = run.find("id"), *const results = run.find("results");
    if (!id || !id->text()) return fmt::format("runs[{}] has no \"id\" that is a string", i);
    if (!results || !results->members()) return fmt::format("runs[{}] has no \"results\" that are an object", i);
    if (std::string problem = problem_of_run(*results, fmt::format("runs[{}].results", i)); !problem.empty()) return problem;
  }
  return {};
}

std::string problem_of(const Document& document) {
  if (is_comparison(document)) return problem_of_comparison(document);
  if (schema_of(document) == "railyard-results/1") return problem_of_run(document, "the file");
  return "its \"schema\" is neither \"railyard-results/1\" nor \"railyard-comparison/1\"";
}

Diagnostics refusal(const char* code, std::string message, std::string hint, const std::string& file) {
  return {{Severity::error, code, std::move(message), std::move(hint), SourceSpan{file, 0, 0}}};
}

}  // namespace

Result<Document> parse_results(std::string_view text, const std::string& file) {
  Result<Document> document = parse_json(text, file, "RY-DIF-001");
  if (!document) return document;
  if (const std::string problem = problem_of(*document); !problem.empty())
    return refusal("RY-DIF-002", "this file holds no Railyard results: " + problem,
                   "name a file that railyard run or compare --json wrote", file);
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
