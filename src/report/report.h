// A document that is not yet in any format.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.h"

namespace railyard {

enum class Align : std::uint8_t { left, right };

struct TextTable {
  std::vector<std::string> header;
  std::vector<Align> align;  // as many as columns; missing ones are left
  std::vector<std::vector<std::string>> rows;
  std::size_t shortest_last = 0;  // texts of the last column may be cut to a line, but to no fewer characters; 0: they wrap
};

struct Report {
  using Block = std::variant<std::string, TextTable, Diagnostics>;  // a paragraph, a table, findings
  struct Section {
    std::string title;  // may be empty
    std::vector<Block> blocks;
  };
  std::string title;
  std::vector<Section> sections;
};

/// For a terminal of `width` columns: titles underlined, paragraphs and the last column of tables wrapped (there, words that
/// are longer are cut). A table that is wider nevertheless comes in parts, each with the columns that name its rows: as few of
/// the first as tell them apart.
void write_terminal(const Report& report, std::size_t width, std::ostream& out);

/// The sentences of `note` without those that explain a column that was left out: "Published: …" where a column called
/// "published" is in `dropped` and none in `kept`. What begins otherwise stays. A sentence ends with ". ".
std::string note_without(const std::string& note, const std::vector<std::string>& kept,
                         const std::vector<std::string>& dropped);

/// Characters `text` takes on a terminal (every code point counts one).
std::size_t display_width(std::string_view text);

/// The beginning of `text`, cut at a blank to at most about `length` characters, with "…" where something was left off.
std::string shortened(const std::string& text, std::size_t length);

/// `text` cut at blanks into lines of at most `width`; words longer than that stay whole.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace railyard
