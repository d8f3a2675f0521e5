#include "cli/catalog_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "base/nearest.h"
#include "catalog/catalog.h"
#include "cli/output.h"
#include "report/report.h"
#include "scenario/presets.h"

namespace railyard {

namespace {

constexpr std::size_t kSourceInShort = 120;
constexpr std::string_view kPresets = "presets";

TextTable overview(const Catalog& catalog) {
  TextTable table{{"kind", "entries", "what it holds"}, {Align::left, Align::right}, {}};
  table.rows.push_back({std::string(kPresets), std::to_string(preset_names().size()), "scenarios to run, compare and extend"});
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

/// Scenarios that come with the program, or the text of one.
int show_presets(const std::string& name) {
  const std::vector<std::string> names = preset_names();
  if (name.empty()) {
    TextTable table{{"name", "what it is"}, {}, {}};
    for (const std::string& preset : names) table.rows.push_back({preset, preset_title(preset)});
    write_terminal({"presets: scenarios to run, compare and extend",
                    {{"", {table, std::string("railyard run NAME runs one, railyard catalog presets NAME shows it.")}}}},
                   terminal_width(), std::cout);
    return kFine;
  }
  if (std::find(names.begin(), names.end(), name) == names.end()) return unknown("preset", name, names);
  const ScenarioText text;
  const Result<Scenario> scenario = load_named_scenario(name, builtin_catalog(), {}, {}, &text);
  std::cout << text.text();
  return kFine;
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
  if (options.kind == kPresets || options.kind == "preset") return show_presets(options.name);
  int code = -1;
  std::vector<std::string> kinds{std::string(kPresets)};
  for_each_shelf(catalog, [&](const CatalogKind& kind, const auto& shelf) {
    kinds.emplace_back(kind.name);
    if (kind.name == options.kind || kind.one == options.kind) code = show(kind, shelf, options.name);
  });
  return code >= 0 ? code : unknown("kind", options.kind, kinds);
}

}  // namespace railyard
