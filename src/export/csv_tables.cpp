#include "export/csv_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/json.h"
#include "base/printable.h"

namespace railyard {

namespace {

using Cells = std::vector<std::pair<std::string, std::string>>;  // columns and what is in them

bool is_single(const Document& value) { return !value.items() && !value.members(); }

void append_value(std::string& out, const Document& value) {
  if (value.empty()) return;
  if (const auto* text = value.text())
    out += *text;
  else if (const auto* whole = value.integer())
    fmt::format_to(std::back_inserter(out), "{}", *whole);
  else if (const auto* real = value.real())
    fmt::format_to(std::back_inserter(out), "{}", *real);
  else
    out += write_compact_json(value);
}

std::string cell_of(const Document& value) {
  std::string cell;
  append_value(cell, value);
  return cell;
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

/// Members whose unit is said by what is around them, or in docs/results.md alone.
struct ColumnOfMember {
  std::string_view path, key, column;
};
constexpr ColumnOfMember kColumnsOfMembers[] = {
    {"queue_time_ns.buckets", "from", "from_ns"},
    {"queue_time_ns.buckets", "to", "to_ns"},
    {"queue_depth_bytes.buckets", "from", "from_bytes"},
    {"queue_depth_bytes.buckets", "to", "to_bytes"},
    {"fabric_map.over_time.links", "mean", "mean_thousandths"},
    {"fabric_map.over_time.links", "mean_back", "mean_back_thousandths"},
    {"fabric_map.over_time.links", "peak", "peak_thousandths"},
    {"fabric_map.switches", "up", "up_thousandths"},
    {"fabric_map.switches", "down", "down_thousandths"},
    {"fabric_map.switches", "peak", "peak_thousandths"},
    {"over_time.ports", "paused", "paused_share"},
};

std::string_view column_of_member(std::string_view path, std::string_view key) {
  for (const ColumnOfMember& one : kColumnsOfMembers)
    if (one.key == key && path.ends_with(one.path)) return one.column;
  return key;
}

/// Walks a document and collects its tables.
class TableMaker {
 public:
  std::vector<CsvTable> make(const Document& document) {
    CsvTable& summary = table("summary");
    summary.column("key", 0);
    summary.column("value", 1);
    if (document.members()) object(document, "", {}, {}, true);
    return std::move(tables_);
  }

 private:
  CsvTable& table(const std::string& name) {
    const auto [found, added] = numbers_.try_emplace(name, tables_.size());
    if (added) tables_.emplace_back(name);
    return tables_[found->second];
  }

  void add_row(const std::string& name, const Cells& cells) {
    CsvTable& into = table(name);
    std::vector<std::string_view> row(into.columns().size());
    std::size_t next = 0;  // rows mostly have the columns of the one before
    for (const auto& [column, text] : cells) {
      const std::size_t at = into.column(column, next);
      next = at + 1;
      if (row.size() < next) row.resize(next);
      row[at] = text;
    }
    into.begin_row();
    for (const std::string_view cell : row) into.add_cell(cell);
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
    add_singles(item, path, "", cells);
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

  static void add_singles(const Document& item, const std::string& path, const std::string& prefix, Cells& cells) {
    for (const Document::Member& member : *item.members()) {
      const std::string name = joined_path(prefix, member.key);
      if (is_single(member.value)) cells.emplace_back(column_of_member(path, name), cell_of(member.value));
      if (member.value.members()) add_singles(member.value, path, name, cells);
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
      CsvTable& into = table(unique);
      if (has_columns(into, row, by_clock ? clock.name : "", path, members))
        add_samples(into, row, by_clock ? clock.times : nullptr, members, length);
      else
        add_unlike_samples(unique, row, by_clock ? clock : SampleClock(), path, members, length);
    }
  }

  using Members = std::vector<const Document::Member*>;

  /// Whether a table has those columns and no others, in their order; one that has none yet gets them.
  static bool has_columns(CsvTable& table, const Cells& row, const std::string& clock, const std::string& path,
                          const Members& members) {
    std::vector<std::string_view> names;
    for (const auto& [column, text] : row) names.push_back(column);
    names.emplace_back("i");
    if (!clock.empty()) names.push_back(clock);
    for (const Document::Member* member : members) names.push_back(column_of_member(path, member->key));
    if (table.columns().empty())
      for (const std::string_view name : names) table.column(name, table.columns().size());
    return std::equal(names.begin(), names.end(), table.columns().begin(), table.columns().end());
  }

  static void add_samples(CsvTable& into, const Cells& row, const Document* times, const Members& members, std::size_t length) {
    for (std::size_t i = 0; i < length; i++) {
      into.begin_row();
      for (const auto& [column, text] : row) into.add_cell(text);
      into.add_cell(Document(static_cast<std::int64_t>(i)));
      if (times) into.add_cell((*times->items())[i]);
      for (const Document::Member* member : members) into.add_cell((*member->value.items())[i]);
    }
  }

  void add_unlike_samples(const std::string& name, const Cells& row, const SampleClock& clock, const std::string& path,
                          const Members& members, std::size_t length) {
    for (std::size_t i = 0; i < length; i++) {
      Cells cells = row;
      cells.emplace_back("i", std::to_string(i));
      if (clock.times) cells.emplace_back(clock.name, cell_of((*clock.times->items())[i]));
      for (const Document::Member* member : members)
        cells.emplace_back(column_of_member(path, member->key), cell_of((*member->value.items())[i]));
      add_row(name, cells);
    }
  }

  std::vector<CsvTable> tables_;
  std::map<std::string, std::size_t> numbers_;
};

/// As csv_cell() has it.
void append_cell(std::string& text, std::string_view cell) {
  const bool is_plain =
      std::all_of(cell.begin(), cell.end(), [](char c) { return c >= ' ' && c <= '~' && c != ',' && c != '"'; });
  text += is_plain ? cell : csv_cell(cell);
}

/// What an object has that is part of the summary: single values, in objects, and not in lists.
void add_summary(const Document& value, const std::string& path, CsvTable& table) {
  for (const Document::Member& member : *value.members()) {
    if (is_single(member.value)) {
      table.begin_row();
      table.add_cell(joined_path(path, member.key));
      table.add_cell(member.value);
    }
    if (member.value.members()) add_summary(member.value, joined_path(path, member.key), table);
  }
}

}  // namespace

std::string_view CsvTable::cell(std::size_t row, std::size_t column) const {
  const std::size_t at = first_[row] + column, end = row + 1 < first_.size() ? first_[row + 1] : ends_.size();
  if (at >= end) return {};
  const std::size_t begin = at > 0 ? ends_[at - 1] : 0;
  return std::string_view(cells_).substr(begin, ends_[at] - begin);
}

std::string CsvTable::text() const {
  std::string text;
  text.reserve(cells_.size() + ends_.size() + rows());
  for (std::size_t i = 0; i < columns_.size(); i++) {
    if (i > 0) text += ',';
    append_cell(text, columns_[i]);
  }
  text += '\n';
  for (std::size_t row = 0; row < rows(); row++) {
    for (std::size_t i = 0; i < columns_.size(); i++) {
      if (i > 0) text += ',';
      append_cell(text, cell(row, i));
    }
    text += '\n';
  }
  return text;
}

std::size_t CsvTable::column(std::string_view name, std::size_t expected) {
  if (expected < columns_.size() && columns_[expected] == name) return expected;
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  const auto at = static_cast<std::size_t>(found - columns_.begin());
  if (found == columns_.end()) columns_.emplace_back(name);
  return at;
}

void CsvTable::add_cell(std::string_view text) {
  cells_ += text;
  ends_.push_back(cells_.size());
}

void CsvTable::add_cell(const Document& value) {
  append_value(cells_, value);
  ends_.push_back(cells_.size());
}

CsvTable csv_summary(const Document& document) {
  CsvTable table("summary");
  table.column("key", 0);
  table.column("value", 1);
  if (document.members()) add_summary(document, "", table);
  return table;
}

std::vector<CsvTable> csv_tables(const Document& document) { return TableMaker().make(document); }

}  // namespace railyard
