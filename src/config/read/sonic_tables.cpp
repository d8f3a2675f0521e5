#include "config/read/sonic_tables.h"

#include <algorithm>
#include <charconv>

namespace railyard::sonic {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Where "TABLE|key" and "TABLE:key" part; npos if this is the name of a table alone.
std::size_t separator(std::string_view key) {
  const std::size_t bar = key.find('|');
  if (bar != std::string_view::npos) return bar;
  const std::size_t colon = key.find(':');
  if (colon == std::string_view::npos) return colon;
  const std::string_view table = key.substr(0, colon);
  const bool is_table = table.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == std::string_view::npos;
  return is_table ? colon : std::string_view::npos;
}

bool is_asic(std::string_view key) { return key == "localhost" || key.substr(0, 4) == "asic"; }

}  // namespace

Tables::Tables(const Document& root) { add_all(root, 0); }

void Tables::add_all(const Document& root, int depth) {
  const Document::Object* members = root.members();
  if (members == nullptr) return;
  for (const Document::Member& member : *members) {
    if (depth == 0 && is_asic(member.key)) {
      add_all(member.value, 1);
      continue;
    }
    const std::size_t cut = separator(member.key);
    const std::string_view name(member.key);
    if (cut != std::string_view::npos) {
      const Document* value = text_of(member.value.find("type")) == "hash" ? member.value.find("value") : nullptr;
      add(name.substr(0, cut), name.substr(cut + 1), value != nullptr ? *value : member.value, member.where);
    } else if (const Document::Object* rows = member.value.members()) {
      for (const Document::Member& row : *rows) add(name, row.key, row.value, row.where);
    }
  }
}

void Tables::add(std::string_view table, std::string_view key, const Document& fields, const SourceSpan& where) {
  Table& in = tables_[table];
  in.at[key] = in.rows.size();
  in.rows.push_back({key, &fields, &where});
}

const std::vector<Entry>& Tables::rows(std::string_view table) const {
  static const std::vector<Entry> none;
  const auto found = tables_.find(table);
  return found == tables_.end() ? none : found->second.rows;
}

const Entry* Tables::find(std::string_view table, std::string_view key) const {
  const auto found = tables_.find(table);
  if (found == tables_.end()) return nullptr;
  const auto row = found->second.at.find(key);
  return row == found->second.at.end() ? nullptr : &found->second.rows[row->second];
}

std::vector<std::string_view> Tables::names() const {
  std::vector<std::string_view> out;
  for (const auto& [name, table] : tables_) out.push_back(name);
  return out;
}

std::string_view referenced(std::string_view reference) {
  reference = trimmed(reference);
  if (reference.size() < 2 || reference.front() != '[' || reference.back() != ']') return reference;
  reference = reference.substr(1, reference.size() - 2);
  const std::size_t bar = reference.find('|');
  return bar == std::string_view::npos ? reference : reference.substr(bar + 1);
}

std::string_view text_of(const Document* field) {
  const std::string* text = field != nullptr ? field->text() : nullptr;
  return text != nullptr ? std::string_view(*text) : std::string_view();
}

std::optional<std::int64_t> number_of(std::string_view text) {
  text = trimmed(text);
  std::int64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr std::int64_t kLargestNumber = std::int64_t{1} << 53;
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  if (value > kLargestNumber || value < -kLargestNumber) return std::nullopt;
  return value;
}

std::optional<std::int64_t> number_of(const Document* field) {
  if (field == nullptr) return std::nullopt;
  if (const std::int64_t* whole = field->integer()) return number_of(std::to_string(*whole));
  return field->text() != nullptr ? number_of(std::string_view(*field->text())) : std::nullopt;
}

std::vector<std::string_view> items_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (const std::string_view item = trimmed(text.substr(0, comma)); !item.empty()) out.push_back(item);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return out;
}

std::vector<std::string_view> items_of(const Document* field) {
  if (field == nullptr || field->items() == nullptr) return items_of(text_of(field));
  std::vector<std::string_view> out;
  for (const Document& item : *field->items())
    if (item.text() != nullptr) out.emplace_back(*item.text());
  return out;
}

std::uint8_t bits_of(std::string_view text) {
  unsigned bits = 0;
  for (const std::string_view item : items_of(text)) {
    const std::size_t dash = item.find('-');
    const auto first = number_of(item.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number_of(item.substr(dash + 1));
    if (!first || !last || *first < 0) continue;
    for (std::int64_t i = *first; i <= std::min<std::int64_t>(*last, 7); i++) bits |= 1U << i;
  }
  return static_cast<std::uint8_t>(bits);
}

PortsAndBits ports_and_bits(std::string_view key) {
  PortsAndBits out;
  const std::size_t bar = key.rfind('|');
  if (bar == std::string_view::npos) return out;
  out.bits = bits_of(key.substr(bar + 1));
  std::string_view ports = key.substr(0, bar);
  if (const std::size_t chassis = ports.rfind('|'); chassis != std::string_view::npos) ports = ports.substr(chassis + 1);
  out.ports = items_of(ports);
  return out;
}

}  // namespace railyard::sonic
