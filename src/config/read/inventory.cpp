#include "config/read/inventory.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/quantity_text.h"
#include "config/read/host_text.h"
#include "config/read/readers.h"

namespace railyard::host_text {

namespace {

/// Sets one cell of a row by the name of its column; false where the column is not known.
bool set_cell(InventoryRow& row, std::string_view column, const std::string& value, const SourceSpan& where,
              Diagnostics& found) {
  if (column == "device" || column == "name" || column == "hostname") {
    row.device = value;
  } else if (column == "port" || column == "interface") {
    row.port = value;
  } else if (column == "role") {
    row.role = lower_case(value);
  } else if (column == "nos" || column == "os") {
    row.nos = value;
  } else if (column == "firmware") {
    row.firmware = value;
  } else if (column == "optics" || column == "transceiver") {
    row.optics = value;
  } else if (column == "neighbour" || column == "neighbor") {
    row.neighbour = value;
  } else if (column == "neighbour_port" || column == "neighbor_port") {
    row.neighbour_port = value;
  } else if (column == "cable" || column == "cable_length") {
    const bool is_bare = value.find_first_not_of("0123456789.") == std::string::npos;
    const auto length = parse_quantity<Millimetres>(is_bare ? value + " m" : value);
    if (value.empty()) return true;
    if (length)
      row.cable = *length;
    else
      found.push_back({Severity::warning, "RY-CFG-004",
                       fmt::format("cable = \"{}\" is no length: {}", printable(value), length.error()), "write \"30 m\"",
                       where});
  } else {
    return false;
  }
  return true;
}

/// The cells of one line of comma-separated values; "" in quotes is a quote.
std::vector<std::string> cells_of(std::string_view line, char separator) {
  std::vector<std::string> cells(1);
  bool in_quotes = false;
  for (std::size_t i = 0; i < line.size(); i++) {
    if (line[i] == '"' && in_quotes && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[i++];
    else if (line[i] == '"')
      in_quotes = !in_quotes;
    else if (line[i] == separator && !in_quotes)
      cells.emplace_back();
    else if (line[i] != '\r')
      cells.back() += line[i];
  }
  for (std::string& cell : cells) cell = std::string(trimmed(cell));
  return cells;
}

std::string column_name(std::string_view cell) {
  std::string name = lower_case(cell);
  if (name.starts_with("\xEF\xBB\xBF")) name.erase(0, 3);
  std::replace(name.begin(), name.end(), ' ', '_');
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

struct CsvHeader {
  std::vector<std::string> columns;
  char separator = ',';
  std::size_t line = 0;  // index of it
};

/// The first line that says something, if it names a device's column and one more.
std::optional<CsvHeader> header_of(const std::vector<std::string_view>& lines) {
  CsvHeader header;
  while (header.line < lines.size() && (trimmed(lines[header.line]).empty() || trimmed(lines[header.line]).starts_with('#')))
    header.line++;
  if (header.line == lines.size() || lines[header.line].size() > 4096) return std::nullopt;
  for (const char separator : {',', ';', '\t'}) {
    header.separator = separator;
    header.columns.clear();
    for (const std::string& cell : cells_of(lines[header.line], separator)) header.columns.push_back(column_name(cell));
    const auto has = [&](std::string_view name) {
      return std::find(header.columns.begin(), header.columns.end(), name) != header.columns.end();
    };
    const bool has_device = has("device") || has("hostname") || has("name");
    const bool has_more = has("role") || has("nos") || has("optics") || has("neighbour") || has("neighbor") || has("cable");
    if (has_device && has_more) return header;
  }
  return std::nullopt;
}

std::string json_text(const Document& value) {
  if (value.text() != nullptr) return *value.text();
  if (value.integer() != nullptr) return std::to_string(*value.integer());
  if (value.real() != nullptr) return fmt::format("{}", *value.real());
  return {};
}

void read_json_row(const Document& object, InventoryRow row, Estate& estate, Diagnostics& found) {
  if (object.members() == nullptr) return;
  row.where = object.where();
  const Document* ports = nullptr;
  for (const auto& member : *object.members()) {
    if (member.key == "ports" && member.value.items() != nullptr)
      ports = &member.value;
    else
      set_cell(row, column_name(member.key), json_text(member.value), member.where, found);
  }
  if (!row.device.empty()) estate.inventory.push_back(row);
  if (ports == nullptr) return;
  InventoryRow of_device;
  of_device.device = row.device;
  for (const Document& port : *ports->items())
    if (port.members() != nullptr && port.find("ports") == nullptr) read_json_row(port, of_device, estate, found);
}

}  // namespace

bool is_inventory_csv(const ConfigText& text) {
  const std::string_view begin = std::string_view(text.text).substr(0, 65'536);
  return header_of(lines_of(begin)).has_value();
}

Diagnostics read_inventory_csv(const ConfigText& text, Estate& estate) {
  Diagnostics found;
  const auto lines = lines_of(text.text);
  const auto header = header_of(lines);
  if (!header) return found;
  for (std::size_t i = header->line + 1; i < lines.size(); i++) {
    if (trimmed(lines[i]).empty() || trimmed(lines[i]).starts_with('#')) continue;
    InventoryRow row;
    row.where = {text.file, static_cast<std::uint32_t>(i + 1), 0};
    const auto cells = cells_of(lines[i], header->separator);
    for (std::size_t c = 0; c < std::min(cells.size(), header->columns.size()); c++)
      set_cell(row, header->columns[c], cells[c], row.where, found);
    if (row.device.empty())
      found.push_back(
          {Severity::warning, "RY-CFG-004", "this row of the inventory names no device", "fill its first column", row.where});
    else
      estate.inventory.push_back(std::move(row));
  }
  return found;
}

bool is_inventory_json(const ConfigText& text) {
  const std::string_view begin = trimmed(std::string_view(text.text).substr(0, 65'536));
  const bool is_list = begin.starts_with('[') || (begin.starts_with('{') && contains(begin, "\"inventory\""));
  const bool has_device = contains(begin, "\"device\"") || contains(begin, "\"hostname\"");
  return is_list && has_device &&
         (contains(begin, "\"role\"") || contains(begin, "\"nos\"") || contains(begin, "\"cable\"") ||
          contains(begin, "\"neighbour\""));
}

Diagnostics read_inventory_json(const ConfigText& text, Estate& estate) {
  const auto root = parse_json(text.text, text.file, "RY-CFG-003");
  if (!root) return broken_file(root.error());
  Diagnostics found;
  const Document* list = root->members() == nullptr ? &*root : root->find("inventory");
  if (list != nullptr && list->items() != nullptr)
    for (const Document& object : *list->items()) read_json_row(object, {}, estate, found);
  return found;
}

}  // namespace railyard::host_text

namespace railyard {

std::vector<FileReader> inventory_readers() {
  using namespace host_text;
  return {{"fabric policy (TOML)", is_fabric_policy, read_fabric_policy},
          {"inventory (CSV)", is_inventory_csv, read_inventory_csv},
          {"inventory (JSON)", is_inventory_json, read_inventory_json}};
}

}  // namespace railyard
