// The tables of a SONiC configuration, however they were written, and the forms of values in them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/document.h"

namespace railyard::sonic {

/// One row: QUEUE|Ethernet0|3 has the key "Ethernet0|3". Points into the document that it was found in.
struct Entry {
  std::string_view key;
  const Document* fields = nullptr;
  const SourceSpan* where = nullptr;

  [[nodiscard]] const Document* field(std::string_view name) const { return fields->find(name); }
};

/// All rows by table. The document must outlive it.
class Tables {
 public:
  /// Takes nested tables, flat dumps ("TABLE|key" or "TABLE:key"), what redis-dump writes ("type", "value") and what holds the
  /// tables of several ASICs under their names.
  explicit Tables(const Document& root);

  [[nodiscard]] const std::vector<Entry>& rows(std::string_view table) const;
  [[nodiscard]] const Entry* find(std::string_view table, std::string_view key) const;
  [[nodiscard]] bool has(std::string_view table) const { return !rows(table).empty(); }
  [[nodiscard]] std::vector<std::string_view> names() const;

 private:
  struct Table {
    std::vector<Entry> rows;
    std::unordered_map<std::string_view, std::size_t> at;  // the last of that key
  };
  void add_all(const Document& root, int depth);
  void add(std::string_view table, std::string_view key, const Document& fields, const SourceSpan& where);
  std::map<std::string_view, Table> tables_;
};

/// "lossless" of "lossless" and of "[BUFFER_PROFILE|lossless]".
std::string_view referenced(std::string_view reference);

/// The text of a field; empty if there is none or it is no text.
std::string_view text_of(const Document* field);

/// A whole number, written as one or as text. None if it is neither or out of range.
std::optional<std::int64_t> number_of(const Document* field);
std::optional<std::int64_t> number_of(std::string_view text);

/// Items between commas without blanks around them; of a list, its texts.
std::vector<std::string_view> items_of(std::string_view text);
std::vector<std::string_view> items_of(const Document* field);

/// Bits 0 to 7 of "3", "3-4" and "0,3-4". What is no such number is left out.
std::uint8_t bits_of(std::string_view text);

/// "Ethernet0,Ethernet4|3-4" as ports and bits; of a chassis "host|asic0|Ethernet0|3" as well.
struct PortsAndBits {
  std::vector<std::string_view> ports;
  std::uint8_t bits = 0;
};
PortsAndBits ports_and_bits(std::string_view key);

}  // namespace railyard::sonic
