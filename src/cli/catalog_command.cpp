#include "cli/catalog_command.h"

#include <fmt/format.h>

#include <iostream>
#include <set>

#include "base/nearest.h"
#include "catalog/catalog.h"
#include "cli/output.h"
#include "report/report.h"

namespace railyard {

namespace {

constexpr std::size_t kSourceInShort = 120;

TextTable overview(const Catalog& catalog) {
  TextTable table{{"kind", "entries", "what it holds"}, {Align::left, Align::right}, {}};
  for_each_shelf(catalog, [&](const CatalogKind& kind, const auto& shelf) {
    table.rows.push_back({std::string(kind.name), std::to_string(shelf.entries().size()), std::string(kind.help)});
  });
  return table;
}

/// The statuses of an entry's values, best first: "published, estimated".
template<class Fact>
std::string statuses(const Entry<Fact>& entry) {
  std::set<Status> all;
  for (const auto& [key, value] : entry.written) all.insert(entry.origin_of(key).status);
  std::string names;
  for (const Status status : all) names += (names.empty() ? "" : ", ") + std::string(name_of(status));
  return names;
}

/// One row per entry: name, statuses, its values and the beginning of its source.
template<class Fact>
TextTable list(const Shelf<Fact>& shelf) {
  TextTable table{{"name", "status", "values and source"}, {}, {}};
  for (const Entry<Fact>& entry : shelf.entries()) {
    std::string values;
    for (const auto& [key, value] : entry.written) values += fmt::format("{}{} {}", values.empty() ? "" : ", ", key, value);
    table.rows.push_back({entry.name, statuses(entry), values + ". Source: " + shortened(entry.origin.source, kSourceInShort)});
  }
  return table;
}

/// One line per value, each with its own status and source.
template<class Fact>
TextTable detail(const Entry<Fact>& entry) {
  TextTable table{{"key", "value", "status", "source"}, {}, {}};
  for (const auto& [key, value] : entry.written) {
    const Origin& origin = entry.origin_of(key);
    table.rows.push_back({key, value, std::string(name_of(origin.status)), origin.source});
  }
  return table;
}

int unknown(std::string_view what, const std::string& word, const std::vector<std::string>& known) {
  const std::string guess = nearest(word, known);
  std::cerr << fmt::format(
      "railyard: there is no {} '{}'; {}\n", what, printable(word),
      guess.empty() ? "known: " + fmt::format("{}", fmt::join(known, ", ")) : "did you mean '" + guess + "'?");
  return kBadInput;
}

template<class Fact>
int show(const CatalogKind& kind, const Shelf<Fact>& shelf, const std::string& name) {
  if (name.empty()) {
    write_terminal({std::string(kind.name) + ": " + std::string(kind.help), {{"", {list(shelf)}}}}, terminal_width(),
                   std::cout);
    return kFine;
  }
  const Entry<Fact>* entry = shelf.find(name);
  if (!entry) return unknown(kind.one, name, shelf.names());
  write_terminal({entry->name, {{"", {detail(*entry)}}}}, terminal_width(), std::cout);
  return kFine;
}

}  // namespace

int catalog_command(const Options& options) {
  const Catalog& catalog = builtin_catalog();
  if (options.kind.empty()) {
    write_terminal({"The catalog", {{"", {overview(catalog), std::string("railyard catalog KIND [NAME] shows more.")}}}},
                   terminal_width(), std::cout);
    return kFine;
  }
  int code = -1;
  std::vector<std::string> kinds;
  for_each_shelf(catalog, [&](const CatalogKind& kind, const auto& shelf) {
    kinds.emplace_back(kind.name);
    if (kind.name == options.kind || kind.one == options.kind) code = show(kind, shelf, options.name);
  });
  return code >= 0 ? code : unknown("kind", options.kind, kinds);
}

}  // namespace railyard
