#include "base/printed_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace railyard::printed {

std::vector<NumberedLine> numbered_lines(std::string_view text) {
  std::vector<NumberedLine> out;
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    out.push_back({line, ++number});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t at = line.find_first_not_of(" \t"); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    out.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t", end);
  }
  return out;
}

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t largest) {
  text = without_blanks(text);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size() || value > largest) return std::nullopt;
  return value;
}

std::string without_escapes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); at++) {
    if (text[at] != '\x1b') {
      out += text[at];
      continue;
    }
    if (at + 1 < text.size() && text[at + 1] == '[') at++;
    while (at + 1 < text.size() && text[at + 1] != '\n' && !std::isalpha(static_cast<unsigned char>(text[at + 1]))) at++;
    if (at + 1 < text.size() && text[at + 1] != '\n') at++;
  }
  return out;
}

std::vector<std::size_t> column_starts(std::string_view line) {
  if (line.find('-') == std::string_view::npos || line.find_first_not_of(" -") != std::string_view::npos) return {};
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < line.size(); i++)
    if (line[i] == '-' && (i == 0 || line[i - 1] == ' ')) out.push_back(i);
  return out;
}

std::vector<std::string_view> cells_of(std::string_view line, const std::vector<std::size_t>& starts) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < starts.size(); i++) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : line.size();
    const std::size_t start = std::min(starts[i], line.size());
    out.push_back(without_blanks(line.substr(start, std::max(end, start) - start)));
  }
  return out;
}

}  // namespace railyard::printed
