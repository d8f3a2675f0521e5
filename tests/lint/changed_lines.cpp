#include "lint/changed_lines.h"

#include <algorithm>

namespace railyard {

namespace {

std::size_t indent_of(const std::string& line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

/// Lines of `after` that are in no longest common sequence with `before`, counted from 1.
std::set<std::uint32_t> added_lines(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const std::size_t rows = before.size() + 1, columns = after.size() + 1;
  std::vector<std::uint32_t> longest(rows * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return longest[i * columns + j]; };
  for (std::size_t i = before.size(); i-- > 0;)
    for (std::size_t j = after.size(); j-- > 0;)
      at(i, j) = before[i] == after[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  std::set<std::uint32_t> added;
  std::size_t i = 0;
  for (std::size_t j = 0; j < after.size();) {
    if (i < before.size() && before[i] == after[j]) {
      i++, j++;
    } else if (i < before.size() && at(i + 1, j) >= at(i, j + 1)) {
      i++;
    } else {
      added.insert(static_cast<std::uint32_t>(++j));
    }
  }
  return added;
}

/// The head of the block that a line stands in; 0 at the top.
std::uint32_t head_of(const std::vector<std::string>& lines, std::uint32_t line) {
  for (std::uint32_t head = line; head-- > 1;)
    if (!lines[head - 1].empty() && indent_of(lines[head - 1]) < indent_of(lines[line - 1])) return head;
  return 0;
}

/// "nv set qos congestion-control default-global traffic-class 3" of a line that goes on with what is set and to what.
std::string subject_of(const std::string& line) {
  if (!line.starts_with("nv set ")) return {};
  const std::size_t last = line.rfind(' ');
  return last == std::string::npos || last == 0 ? std::string() : line.substr(0, line.rfind(' ', last - 1));
}

bool are_together(const std::vector<std::string>& lines, std::uint32_t a, std::uint32_t b) {
  if (const std::string subject = subject_of(lines[a - 1]); !subject.empty()) return subject == subject_of(lines[b - 1]);
  return head_of(lines, a) != 0 && head_of(lines, a) == head_of(lines, b);
}

}  // namespace

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

ChangedLines changed_lines(const std::vector<ConfigText>& clean, const std::vector<ConfigText>& files) {
  ChangedLines changed;
  for (const ConfigText& file : files) {
    const auto before = std::find_if(clean.begin(), clean.end(), [&](const ConfigText& one) { return one.file == file.file; });
    if (before != clean.end() && before->text == file.text) continue;
    const auto added =
        added_lines(before == clean.end() ? std::vector<std::string>() : lines_in(before->text), lines_in(file.text));
    if (!added.empty()) changed[file.file] = added;
  }
  return changed;
}

bool is_near(const ConfigText& file, std::uint32_t line, const std::set<std::uint32_t>& changed) {
  const std::vector<std::string> lines = lines_in(file.text);
  return std::any_of(changed.begin(), changed.end(), [&](std::uint32_t one) {
    if (one == line || head_of(lines, line) == one || are_together(lines, line, one)) return true;
    for (std::uint32_t head = head_of(lines, one); head != 0; head = head_of(lines, head))
      if (head == line) return true;
    return false;
  });
}

}  // namespace railyard
