#include "export/csv_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json.h"
#include "base/printable.h"

namespace railyard {

namespace {

using Cells = std::vector<std::pair<std::string, std::string>>;  // columns and what is in them

bool is_single(const Document& value) { return !value.items() && !value.members(); }

/// Numbers with all their digits, texts without quotes, nothing for null; lists in lists as JSON has them.
std::string cell_of(const Document& value) {
  if (value.empty()) return {};
  if (const auto* text = value.text()) return *text;
  if (const auto* whole = value.integer()) return std::to_string(*whole);
  if (const auto* real = value.real()) return fmt::format("{}", *real);
  return write_compact_json(value);
}

bool holds(const Document& list, bool (*fits)(const Document&)) {
  return !list.items()->empty() && std::all_of(list.items()->begin(), list.items()->end(), fits);
}

bool is_list_of_singles(const Document& value) { return value.items() && holds(value, is_single); }

/// The clock that samples below it go by, where there is one: "at_us".
struct SampleClock {
  std::string name;
  const Document* times = nullptr;
};

std::string joined_path(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }

/// Walks a document and collects its tables.
class TableMaker {
 public:
  std::vector<CsvTable> make(const Document& document) {
    table("summary").columns = {"key", "value"};
    if (document.members()) object(document, "", {}, {}, true);
    return std::move(tables_);
  }

 private:
  CsvTable& table(const std::string& name) {
    const auto [found, added] = numbers_.try_emplace(name, tables_.size());
    if (added) tables_.push_back({name, {}, {}});
    return tables_[found->second];
  }

  void add_row(const std::string& name, Cells cells) {
    CsvTable& into = table(name);
    std::vector<std::string> row(into.columns.size());
    std::size_t next = 0;  // rows mostly have the columns of the one before
    for (auto& [column, text] : cells) {
      if (next < into.columns.size() && into.columns[next] == column) {
        row[next++] = std::move(text);
        continue;
      }
      const auto at = std::find(into.columns.begin(), into.columns.end(), column);
      const auto index = static_cast<std::size_t>(at - into.columns.begin());
      if (at == into.columns.end()) {
        into.columns.push_back(column);
        row.emplace_back();
      }
      row[index] = std::move(text);
    }
    into.rows.push_back(std::move(row));
  }

  /// An object that is no row: its single values are part of the summary, unless it is below a row (`of_row`).
  void object(const Document& value, const std::string& path, const Cells& row, SampleClock clock, bool summed) {
    if (const SampleClock own = clock_of(value); own.times) clock = own;
    for (const Document::Member& member : *value.members()) {
      const std::string here = joined_path(path, member.key);
      if (is_single(member.value)) {
        if (summed) add_row("summary", {{"key", here}, {"value", cell_of(member.value)}});
      } else if (member.value.members()) {
        object(member.value, here, row, clock, summed);
      } else if (!is_list_of_singles(member.value)) {
        list(member.value, here, row, clock);
      }
    }
    samples(value, path, row, clock);
  }

  static SampleClock clock_of(const Document& value) {
    for (const Document::Member& member : *value.members())
      if (member.key.starts_with("at_") && is_list_of_singles(member.value)) return {member.key, &member.value};
    return {};
  }

  /// A list of objects, or of lists.
  void list(const Document& value, const std::string& path, const Cells& row, const SampleClock& clock) {
    for (std::size_t i = 0; i < value.items()->size(); i++) {
      const Document& item = (*value.items())[i];
      if (item.members()) {
        list_row(item, i, path, row, clock);
      } else if (item.items()) {
        Cells cells = row;
        cells.emplace_back(last_part(path), std::to_string(i));
        for (std::size_t k = 0; k < item.items()->size(); k++)
          cells.emplace_back(std::to_string(k), cell_of((*item.items())[k]));
        add_row(path, std::move(cells));
      }
    }
  }

  void list_row(const Document& item, std::size_t number, const std::string& path, const Cells& parents,
                const SampleClock& clock) {
    Cells cells = parents;
    add_singles(item, "", cells);
    add_row(path, std::move(cells));
    Cells named = parents;  // what tables below it are told of this row
    named.emplace_back(last_part(path), std::to_string(number));
    for (const Document::Member& member : *item.members())
      if (member.value.text()) {
        named.emplace_back(last_part(path) + "." + member.key, *member.value.text());
        break;
      }
    object(item, path, named, clock, false);
  }

  static void add_singles(const Document& item, const std::string& prefix, Cells& cells) {
    for (const Document::Member& member : *item.members()) {
      const std::string name = joined_path(prefix, member.key);
      if (is_single(member.value)) cells.emplace_back(name, cell_of(member.value));
      if (member.value.members()) add_singles(member.value, name, cells);
    }
  }

  /// Lists of single values of one object: those that are equally long belong together.
  void samples(const Document& value, const std::string& path, const Cells& row, const SampleClock& clock) {
    std::map<std::size_t, std::vector<const Document::Member*>> by_length;
    for (const Document::Member& member : *value.members())
      if (is_list_of_singles(member.value)) by_length[member.value.items()->size()].push_back(&member);
    for (const auto& [length, members] : by_length) {
      const bool by_clock = clock.times && clock.times->items()->size() == length && clock.name != members.front()->key;
      const std::string name = joined_path(path, members.size() > 1 || by_clock ? "series" : members.front()->key);
      const std::string unique = by_length.size() > 1 && name.ends_with("series") ? fmt::format("{}.{}", name, length) : name;
      for (std::size_t i = 0; i < length; i++) {
        Cells cells;
        cells.reserve(row.size() + members.size() + 2);
        cells.insert(cells.end(), row.begin(), row.end());
        cells.emplace_back("i", std::to_string(i));
        if (by_clock) cells.emplace_back(clock.name, cell_of((*clock.times->items())[i]));
        for (const Document::Member* member : members) cells.emplace_back(member->key, cell_of((*member->value.items())[i]));
        add_row(unique, std::move(cells));
      }
    }
  }

  std::vector<CsvTable> tables_;
  std::map<std::string, std::size_t> numbers_;
};

void add_line(std::string& text, const std::vector<std::string>& cells, std::size_t width) {
  for (std::size_t i = 0; i < width; i++) {
    if (i > 0) text += ',';
    if (i < cells.size()) text += csv_cell(cells[i]);
  }
  text += '\n';
}

/// What an object has that is part of the summary: single values, in objects, and not in lists.
void add_summary(const Document& value, const std::string& path, std::vector<std::vector<std::string>>& rows) {
  for (const Document::Member& member : *value.members()) {
    if (is_single(member.value)) rows.push_back({joined_path(path, member.key), cell_of(member.value)});
    if (member.value.members()) add_summary(member.value, joined_path(path, member.key), rows);
  }
}

}  // namespace

std::string CsvTable::text() const {
  std::string text;
  add_line(text, columns, columns.size());
  for (const std::vector<std::string>& row : rows) add_line(text, row, columns.size());
  return text;
}

CsvTable csv_summary(const Document& document) {
  CsvTable table{"summary", {"key", "value"}, {}};
  if (document.members()) add_summary(document, "", table.rows);
  return table;
}

std::vector<CsvTable> csv_tables(const Document& document) { return TableMaker().make(document); }

}  // namespace railyard
