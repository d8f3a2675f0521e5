#include "config/read/cli_tree.h"

#include <algorithm>

namespace railyard {

namespace {

bool is_cli_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r'; }

std::size_t indent_columns(std::string_view line) {
  std::size_t columns = 0;
  for (const char c : line) {
    if (!is_cli_blank(c)) break;
    columns += c == '\t' ? 8 : 1;
  }
  return columns;
}

/// The line after a banner that starts at this one; the line after this one if it is no banner or never ends.
std::size_t after_banner(const std::vector<std::string_view>& lines, std::size_t at,
                         const std::vector<std::string_view>& words) {
  if (words.empty() || words[0] != "banner" || words.size() < 2) return at + 1;
  if (words.size() == 2) {  // EOS: up to EOF
    for (std::size_t i = at + 1; i < lines.size(); i++)
      if (lines[i] == "EOF") return i + 1;
    return at + 1;
  }
  const std::string_view mark =
      words[2].substr(0, words[2].starts_with('^') ? 2 : 1);  // NX-OS, OS10: up to a sign of one's own
  if (words[2].size() > mark.size() && words[2].find(mark, mark.size()) != std::string_view::npos) return at + 1;
  for (std::size_t i = at + 1; i < lines.size(); i++)
    if (lines[i].find(mark) != std::string_view::npos) return i + 1;
  return at + 1;
}

}  // namespace

bool CliStatement::starts(std::initializer_list<std::string_view> first) const {
  return words.size() >= first.size() && std::equal(first.begin(), first.end(), words.begin());
}

bool CliStatement::has(std::string_view word) const { return std::find(words.begin(), words.end(), word) != words.end(); }

std::string_view CliStatement::after(std::string_view key) const {
  const auto at = std::find(words.begin(), words.end(), key);
  return at == words.end() || at + 1 == words.end() ? std::string_view() : *(at + 1);
}

std::string CliStatement::text(std::size_t from) const {
  std::string out;
  for (std::size_t i = from; i < words.size(); i++) {
    if (i > from) out += ' ';
    out += words[i];
  }
  return out;
}

std::string CliTree::block_text(const CliStatement& statement) const {
  std::string out;
  for (const CliStatement* one = &statement; one != statements.data() + statement.end; one++)
    out += (one->no ? "no " : "") + one->text() + '\n';
  return out;
}

CliTree cli_tree(std::string_view text) {
  const std::vector<std::string_view> lines = cli_lines(text);
  CliTree tree;
  struct Open {
    std::size_t indent;
    std::uint32_t index;
  };
  std::vector<Open> open;
  const auto close_to = [&](std::size_t indent) {
    while (!open.empty() && open.back().indent >= indent) {
      tree.statements[open.back().index].end = static_cast<std::uint32_t>(tree.statements.size());
      open.pop_back();
    }
  };
  for (std::size_t at = 0; at < lines.size();) {
    CliStatement statement;
    statement.words = cli_words(lines[at]);
    const std::size_t line = at, indent = indent_columns(lines[at]);
    at = after_banner(lines, at, statement.words);
    if (statement.words.empty() || statement.words[0].starts_with('!') || statement.words[0].starts_with('#')) continue;
    statement.line = static_cast<std::uint32_t>(line + 1);
    statement.column = static_cast<std::uint32_t>(indent + 1);
    if (statement.words.size() > 1 && statement.words[0] == "no") {
      statement.no = true;
      statement.words.erase(statement.words.begin());
    }
    close_to(indent);
    open.push_back({indent, static_cast<std::uint32_t>(tree.statements.size())});
    tree.statements.push_back(std::move(statement));
  }
  close_to(0);
  return tree;
}

std::vector<std::string_view> cli_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string_view> cli_words(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    if (is_cli_blank(line[at])) {
      at++;
      continue;
    }
    if (line[at] == '"') {
      const std::size_t end = std::min(line.find('"', at + 1), line.size());
      words.push_back(line.substr(at + 1, end - at - 1));
      at = std::min(end + 1, line.size());
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && !is_cli_blank(line[end])) end++;
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace railyard
