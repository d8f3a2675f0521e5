#include <algorithm>
#include <limits>
#include <optional>
#include <ostream>
#include <set>
#include <string_view>

#include "report/report.h"

namespace railyard {

namespace {

constexpr std::size_t kGap = 2;     // blanks between columns
constexpr std::size_t kIndent = 2;  // of tables
constexpr std::size_t kWidestProse = 100;
constexpr std::size_t kNarrowest = 16;  // a wrapped column is never narrower

std::string padded(const std::string& text, std::size_t width, Align align) {
  const std::size_t used = display_width(text);
  const std::string blanks(width > used ? width - used : 0, ' ');
  return align == Align::right ? blanks + text : text + blanks;
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// Pieces of a word that are no wider than `width`: cut after a sign that joins parts of names and paths where there is one.
std::vector<std::string> pieces_of(std::string_view word, std::size_t width) {
  std::vector<std::string> pieces;
  while (display_width(word) > width) {
    std::size_t bytes = 0, sign = 0;
    for (std::size_t shown = 0; bytes < word.size(); bytes++) {
      const bool begins = (word[bytes] & 0xC0) != 0x80;
      if (begins && shown++ == width) break;
      if (std::string_view("/_-.,=").find(word[bytes]) != std::string_view::npos) sign = bytes + 1;
    }
    const std::size_t cut = sign > bytes / 2 ? sign : bytes;
    pieces.emplace_back(word.substr(0, cut));
    word.remove_prefix(cut);
  }
  if (!word.empty()) pieces.emplace_back(word);
  return pieces;
}

/// A cell of a last column: as wrap(), but words that are longer do not stay whole.
std::vector<std::string> wrap_cell(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string& line : wrap(text, width))
    for (std::string& piece : pieces_of(line, width)) lines.push_back(std::move(piece));
  return lines;
}

/// Widths of all columns; the last one gives way if the table would be wider than the terminal.
std::vector<std::size_t> column_widths(const TextTable& table, std::size_t width) {
  std::vector<std::size_t> widths(table.header.size(), 0);
  const auto measure = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size() && i < widths.size(); i++) widths[i] = std::max(widths[i], display_width(row[i]));
  };
  measure(table.header);
  for (const auto& row : table.rows) measure(row);
  std::size_t before = kIndent;
  for (std::size_t i = 0; i + 1 < widths.size(); i++) before += widths[i] + kGap;
  const std::size_t left = width > before ? width - before : 0;
  if (!widths.empty()) widths.back() = std::min(widths.back(), std::max(left, kNarrowest));
  return widths;
}

Align align_of(const TextTable& table, std::size_t column) {
  return column < table.align.size() ? table.align[column] : Align::left;
}

void write_row(const TextTable& table, const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
               std::ostream& out) {
  std::vector<std::vector<std::string>> cells;
  std::size_t lines = 1;
  for (std::size_t i = 0; i < row.size(); i++) {
    const bool fits = display_width(row[i]) <= widths[i];
    cells.push_back(fits && i + 1 < row.size() ? std::vector<std::string>{row[i]} : wrap_cell(row[i], widths[i]));
    lines = std::max(lines, cells.back().size());
  }
  for (std::size_t line = 0; line < lines; line++) {
    std::string text(kIndent, ' ');
    for (std::size_t i = 0; i < row.size(); i++) {
      text += padded(line < cells[i].size() ? cells[i][line] : "", widths[i], align_of(table, i));
      if (i + 1 < row.size()) text += std::string(kGap, ' ');
    }
    out << printable(without_trailing_blanks(text)) << '\n';
  }
}

/// A table to be written, with the width of every column.
struct TablePart {
  TextTable table;
  std::vector<std::size_t> widths;
};

/// The first `keys` columns and those from `first` to before `end`.
TextTable columns_of(const TextTable& table, std::size_t keys, std::size_t first, std::size_t end) {
  const auto chosen = [&](const std::vector<std::string>& from) {
    std::vector<std::string> to;
    for (std::size_t i = 0; i < end; i++)
      if (i < keys || i >= first) to.push_back(i < from.size() ? from[i] : "");
    return to;
  };
  TextTable part{chosen(table.header), {}, {}};
  for (std::size_t i = 0; i < end; i++)
    if (i < keys || i >= first) part.align.push_back(align_of(table, i));
  for (const auto& row : table.rows) part.rows.push_back(chosen(row));
  return part;
}

/// How many columns name a row: as few as tell all rows apart, of the first three; one where those do not.
std::size_t key_columns(const TextTable& table) {
  constexpr std::size_t kMostKeys = 3;
  for (std::size_t keys = 1; keys <= kMostKeys && keys + 2 <= table.header.size(); keys++) {
    std::set<std::vector<std::string>> seen;
    std::string first;  // an empty first cell says that it is as above
    const auto is_new = [&](const std::vector<std::string>& row) {
      std::vector<std::string> names(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(std::min(keys, row.size())));
      if (!names.empty() && names[0].empty()) names[0] = first;
      if (!names.empty()) first = names[0];
      return seen.insert(std::move(names)).second;
    };
    if (std::all_of(table.rows.begin(), table.rows.end(), is_new)) return keys;
  }
  return 1;
}

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& word : wrap(text, 1)) longest = std::max(longest, display_width(word));
  return longest;
}

/// Widths of columns whose headers wrap, and whose texts do where they are no numbers.
std::vector<std::size_t> narrowest_widths(const TextTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.header.size(); i++) {
    std::size_t width = longest_word(table.header[i]);
    for (const auto& row : table.rows)
      if (i < row.size())
        width = std::max(width, align_of(table, i) == Align::right ? display_width(row[i]) : longest_word(row[i]));
    widths.push_back(width);
  }
  return widths;
}

std::size_t width_of(const std::vector<std::size_t>& widths) {
  std::size_t width = kIndent + kGap * (widths.size() - 1);
  for (const std::size_t one : widths) width += one;
  return width;
}

/// The columns as wide as they can be, the widest giving way first; none if they do not fit even so.
std::optional<std::vector<std::size_t>> squeezed_widths(const TextTable& table, std::size_t width) {
  std::vector<std::size_t> widths = column_widths(table, std::numeric_limits<std::size_t>::max() / 2);
  const std::vector<std::size_t> least = narrowest_widths(table);
  if (width_of(least) > width) return std::nullopt;
  while (width_of(widths) > width) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); i++)
      if (widths[i] > least[i] && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    widths[widest]--;
  }
  return widths;
}

/// Where parts of the columns after `keys` begin, each as full as it can be.
std::vector<std::size_t> greedy_cuts(const std::vector<std::size_t>& widths, std::size_t keys, std::size_t width) {
  std::size_t before = kIndent;
  for (std::size_t i = 0; i < keys; i++) before += (i == 0 ? 0 : kGap) + widths[i];
  std::vector<std::size_t> cuts{keys};
  std::size_t used = before;
  for (std::size_t i = keys; i < widths.size(); i++) {
    const std::size_t needed = kGap + (i + 1 == widths.size() ? std::min(widths[i], kNarrowest) : widths[i]);
    if (i > cuts.back() && used + needed > width) {
      cuts.push_back(i);
      used = before;
    }
    used += needed;
  }
  return cuts;
}

/// The table as it is where it fits, else in parts that each begin with the columns that name its rows. A last column does not
/// stand alone if another can join it: one of the part before it, or all of that part with headers and texts wrapped.
std::vector<TablePart> fitting_parts(const TextTable& table, std::size_t width) {
  const std::vector<std::size_t> widths = column_widths(table, std::numeric_limits<std::size_t>::max() / 2);
  if (greedy_cuts(widths, 1, width).size() == 1) return {{table, column_widths(table, width)}};
  const std::size_t keys = key_columns(table);
  std::vector<std::size_t> cuts = greedy_cuts(widths, keys, width);
  const std::size_t end = widths.size();
  std::optional<TablePart> last;
  if (cuts.size() > 1 && end - cuts.back() == 1) {
    const std::size_t previous = cuts[cuts.size() - 2];
    TextTable joined = columns_of(table, keys, previous, end);
    TextTable two = columns_of(table, keys, cuts.back() - 1, end);
    const bool two_fit = width_of(column_widths(two, width)) <= width;
    if (cuts.back() - previous > 2 && two_fit) {
      cuts.back()--;
    } else if (const auto squeezed = squeezed_widths(joined, width)) {
      cuts.pop_back();
      last = TablePart{std::move(joined), *squeezed};
    }
  }
  std::vector<TablePart> parts;
  for (std::size_t i = 0; i < cuts.size(); i++) {
    TextTable part = columns_of(table, keys, cuts[i], i + 1 < cuts.size() ? cuts[i + 1] : end);
    std::vector<std::size_t> own = column_widths(part, width);
    parts.push_back(last && i + 1 == cuts.size() ? *last : TablePart{std::move(part), std::move(own)});
  }
  return parts;
}

void write_table(const TablePart& part, std::ostream& out) {
  write_row(part.table, part.table.header, part.widths, out);
  std::vector<std::string> rule;
  for (const std::size_t w : part.widths) rule.push_back(std::string(w, '-'));
  write_row(part.table, rule, part.widths, out);
  for (const auto& row : part.table.rows) write_row(part.table, row, part.widths, out);
}

/// The last column cut to what a line has left, or to what the table asks for where that is more.
TextTable with_short_texts(TextTable table, std::size_t width) {
  std::vector<std::size_t> widths = column_widths(table, std::numeric_limits<std::size_t>::max() / 2);
  widths.back() = 0;
  const std::size_t before = width_of(widths);
  const std::size_t left = std::max(width > before ? width - before : 0, table.shortest_last);
  for (auto& row : table.rows)
    if (row.size() == table.header.size()) row.back() = shortened(row.back(), left);
  return table;
}

void write_block(const TextTable& table, std::size_t width, std::ostream& out) {
  if (table.header.empty()) return;
  bool is_first = true;
  for (const TablePart& part : fitting_parts(table.shortest_last > 0 ? with_short_texts(table, width) : table, width)) {
    if (!is_first) out << '\n';
    write_table(part, out);
    is_first = false;
  }
}

void write_block(const std::string& paragraph, std::size_t width, std::ostream& out) {
  for (const std::string& line : wrap(paragraph, std::min(width, kWidestProse))) out << printable(line) << '\n';
}

void write_block(const Diagnostics& diagnostics, std::size_t width, std::ostream& out) {
  const std::size_t room = std::min(width, kWidestProse);
  for (const Diagnostic& diagnostic : diagnostics) {
    bool first = true;
    for (const std::string& line : wrap(to_text(diagnostic), room > kIndent ? room - kIndent : room)) {
      out << (first ? "" : std::string(kIndent, ' ')) << line << '\n';
      first = false;
    }
  }
}

void write_title(const std::string& title, char rule, std::ostream& out) {
  const std::string shown = printable(title);
  out << shown << '\n' << std::string(display_width(shown), rule) << '\n';
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string shortened(const std::string& text, std::size_t length) {
  if (text.size() <= length) return text;
  const std::size_t blank = text.rfind(' ', length);
  return text.substr(0, blank == std::string::npos ? length : blank) + " …";
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) lines.push_back(std::move(line)), line.clear();
    if (!word.empty()) line += (line.empty() ? "" : " ") + std::string(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

void write_terminal(const Report& report, std::size_t width, std::ostream& out) {
  write_title(report.title, '=', out);
  for (const Report::Section& section : report.sections) {
    if (!section.title.empty() || &section != &report.sections.front()) out << '\n';
    if (!section.title.empty()) write_title(section.title, '-', out);
    for (std::size_t i = 0; i < section.blocks.size(); i++) {
      if (i > 0) out << '\n';
      std::visit([&](const auto& block) { write_block(block, width, out); }, section.blocks[i]);
    }
  }
}

}  // namespace railyard
