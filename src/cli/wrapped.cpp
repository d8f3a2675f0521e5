#include "cli/wrapped.h"

#include <algorithm>
#include <vector>

#include "report/report.h"

namespace railyard {

namespace {

constexpr std::size_t kLastColumn = 40;  // no column of help begins further to the right

/// Where the text after the last gap of two blanks begins; 0 if there is none.
std::size_t column_of(std::string_view line, std::size_t first) {
  std::size_t column = 0;
  for (std::size_t gap = line.find("  ", first); gap != std::string_view::npos && gap < kLastColumn;) {
    const std::size_t next = line.find_first_not_of(' ', gap);
    if (next == std::string_view::npos || next > kLastColumn) break;
    column = next;
    gap = line.find("  ", next);
  }
  return column;
}

void append_line(std::string_view line, std::size_t width, std::size_t hang, std::string& out) {
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  if (display_width(line) <= width || first == line.size()) {
    out += line;
    return;
  }
  const std::size_t column = column_of(line, first);
  const std::size_t begin = column > 0 ? column : first;
  const std::size_t indent = column > 0 ? display_width(line.substr(0, column)) : first + hang;
  const std::vector<std::string> lines = wrap(line.substr(begin), width > indent ? width - indent : 1);
  for (std::size_t i = 0; i < lines.size(); i++)
    out += (i == 0 ? std::string(line.substr(0, begin)) : "\n" + std::string(indent, ' ')) + lines[i];
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t hang) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    append_line(text.substr(0, end), width, hang, out);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace railyard
