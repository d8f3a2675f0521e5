#include <algorithm>
#include <limits>
#include <ostream>
#include <string_view>

#include "report/report.h"

namespace railyard {

namespace {

constexpr std::size_t kGap = 2;         // blanks between columns
constexpr std::size_t kIndent = 2;      // of tables
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

void write_row(const TextTable& table, const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
               std::ostream& out) {
  const std::vector<std::string> last = row.empty() ? std::vector<std::string>{} : wrap(row.back(), widths.back());
  for (std::size_t line = 0; line < std::max<std::size_t>(1, last.size()); line++) {
    std::string text(kIndent, ' ');
    for (std::size_t i = 0; i < row.size(); i++) {
      const bool is_last = i + 1 == row.size();
      const std::string cell = is_last ? (last.empty() ? "" : last[line]) : (line == 0 ? row[i] : "");
      text += padded(cell, widths[i], i < table.align.size() ? table.align[i] : Align::left);
      if (!is_last) text += std::string(kGap, ' ');
    }
    out << printable(without_trailing_blanks(text)) << '\n';
  }
}

/// Columns `first` to `end` after the one that names the rows.
TextTable columns_of(const TextTable& table, std::size_t first, std::size_t end) {
  TextTable part;
  const auto add = [&](std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.push_back(from.empty() ? "" : from.front());
    for (std::size_t i = first; i < std::min(end, from.size()); i++) to.push_back(from[i]);
  };
  add(part.header, table.header);
  part.align.push_back(table.align.empty() ? Align::left : table.align.front());
  for (std::size_t i = first; i < end; i++) part.align.push_back(i < table.align.size() ? table.align[i] : Align::left);
  for (const auto& row : table.rows) add(part.rows.emplace_back(), row);
  return part;
}

/// The table as it is where it fits, else in several that each begin with the first column.
std::vector<TextTable> fitting_parts(const TextTable& table, std::size_t width) {
  const std::vector<std::size_t> widths = column_widths(table, std::numeric_limits<std::size_t>::max() / 2);
  const std::size_t last = widths.size() - 1;
  std::vector<TextTable> parts;
  std::size_t first = 1, used = kIndent + widths.front();
  for (std::size_t i = 1; i < widths.size(); i++) {
    const std::size_t needed = kGap + (i == last ? std::min(widths[i], kNarrowest) : widths[i]);
    if (i > first && used + needed > width) {
      parts.push_back(columns_of(table, first, i));
      first = i;
      used = kIndent + widths.front();
    }
    used += needed;
  }
  if (parts.empty()) return {table};
  parts.push_back(columns_of(table, first, widths.size()));
  return parts;
}

void write_table(const TextTable& table, std::size_t width, std::ostream& out) {
  const std::vector<std::size_t> widths = column_widths(table, width);
  write_row(table, table.header, widths, out);
  std::vector<std::string> rule;
  for (const std::size_t w : widths) rule.push_back(std::string(w, '-'));
  write_row(table, rule, widths, out);
  for (const auto& row : table.rows) write_row(table, row, widths, out);
}

void write_block(const TextTable& table, std::size_t width, std::ostream& out) {
  if (table.header.empty()) return;
  bool is_first = true;
  for (const TextTable& part : fitting_parts(table, width)) {
    if (!is_first) out << '\n';
    write_table(part, width, out);
    is_first = false;
  }
}

void write_block(const std::string& paragraph, std::size_t width, std::ostream& out) {
  for (const std::string& line : wrap(paragraph, width)) out << printable(line) << '\n';
}

void write_block(const Diagnostics& diagnostics, std::size_t width, std::ostream& out) {
  for (const Diagnostic& diagnostic : diagnostics) {
    bool first = true;
    for (const std::string& line : wrap(to_text(diagnostic), width > kIndent ? width - kIndent : width)) {
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
