#include "config/read/nvue_statements.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "base/json.h"
#include "base/printed_text.h"
#include "base/yaml.h"
#include "config/read/sonic_tables.h"

namespace railyard::nvue {

namespace {

/// Statements in their order, of which some can be taken back.
class StatementList {
 public:
  void add(Statement statement) {
    at_.emplace(path(statement.words), statements_.size());
    statements_.push_back(std::move(statement));
  }

  void take_back(const std::vector<std::string>& words) {
    const std::string prefix = path(words);
    auto first = at_.lower_bound(prefix), last = first;
    for (; last != at_.end() && last->first.compare(0, prefix.size(), prefix) == 0; ++last)
      statements_[last->second].words.clear();
    at_.erase(first, last);
  }

  [[nodiscard]] std::vector<Statement> take() {
    std::vector<Statement> out;
    for (Statement& one : statements_)
      if (!one.words.empty()) out.push_back(std::move(one));
    return out;
  }

 private:
  static std::string path(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out.append(word).append("\n");
    return out;
  }

  std::vector<Statement> statements_;
  std::multimap<std::string, std::size_t> at_;
};

/// What stands behind `command` in a line, or none: it may stand behind a prompt.
std::optional<std::string_view> behind(std::string_view line, std::string_view command) {
  const std::size_t at = line.find(command);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view before = printed::without_blanks(line.substr(0, at));
  const bool is_prompt = before.empty() || before == "sudo" || before == "-" ||
                         (before.front() != '#' && (before.back() == '$' || before.back() == '#'));
  if (!is_prompt) return std::nullopt;
  return line.substr(at + command.size());
}

/// Words of a line; what is between quotes is one.
std::vector<std::string> quoted_words(std::string_view line) {
  std::vector<std::string> out;
  char quote = 0;
  bool is_open = false;
  for (const char c : line) {
    if (quote == 0 && (c == ' ' || c == '\t')) {
      is_open = false;
      continue;
    }
    if (!is_open) out.emplace_back();
    is_open = true;
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = 0;
    else
      out.back().push_back(c);
  }
  return out;
}

std::string scalar_text(const Document& value) {
  if (value.boolean() != nullptr) return *value.boolean() ? "true" : "false";
  if (value.integer() != nullptr) return std::to_string(*value.integer());
  if (value.text() != nullptr) return *value.text();
  double number = 0;
  return value.number(number) != nullptr ? std::to_string(number) : std::string();
}

using Take = void (*)(StatementList&, Statement);

/// Every path from here down to a value.
void walk(const Document& at, Statement& so_far, StatementList& list, Take take) {
  if (const Document::Object* members = at.members(); members != nullptr && !members->empty()) {
    for (const Document::Member& member : *members) {
      Statement deeper{so_far.words, member.where};
      deeper.words.push_back(member.key);
      walk(member.value, deeper, list, take);
    }
    return;
  }
  if (at.items() != nullptr) {
    for (const Document& item : *at.items()) {
      Statement deeper{so_far.words, item.where().line != 0 ? item.where() : so_far.where};
      walk(item, deeper, list, take);
    }
    return;
  }
  Statement done = so_far;
  if (std::string text = scalar_text(at); !text.empty()) done.words.push_back(std::move(text));
  if (!done.words.empty()) take(list, std::move(done));
}

void add_statement(StatementList& list, Statement statement) { list.add(std::move(statement)); }
void take_back_statement(StatementList& list, Statement statement) { list.take_back(statement.words); }

/// Members "header", "set" and "unset", at the top or in a list there.
void walk_sections(const Document& root, StatementList& list) {
  if (root.items() != nullptr)
    for (const Document& item : *root.items()) walk_sections(item, list);
  if (root.members() == nullptr) return;
  for (const Document::Member& member : *root.members()) {
    Statement start{{}, member.where};
    if (member.key == "set") walk(member.value, start, list, add_statement);
    if (member.key == "unset") walk(member.value, start, list, take_back_statement);
    if (member.key == "header") {
      start.words.emplace_back("header");
      walk(member.value, start, list, add_statement);
    }
  }
}

/// One name with its first range written out, then the next.
void expand_ranges(std::string name, std::vector<std::string>& out, std::size_t from) {
  const auto digits_end = [&](std::size_t at) { return std::min(name.find_first_not_of("0123456789", at), name.size()); };
  constexpr std::size_t kLongest = 4096, kLongestName = 64;
  for (std::size_t dash = name.find('-', from); dash != std::string::npos && name.size() <= kLongestName;
       dash = name.find('-', dash + 1)) {
    std::size_t first = dash, second = dash + 1;
    while (first > 0 && name[first - 1] >= '0' && name[first - 1] <= '9') first--;
    if (first < dash && name.compare(second, first, name, 0, first) == 0 && first > 0 && digits_end(second) == second)
      second += first;  // swp1-swp32
    const std::size_t end = digits_end(std::min(second, name.size()));
    const auto low = whole_of(std::string_view(name).substr(first, dash - first));
    const auto high =
        whole_of(std::string_view(name).substr(std::min(second, name.size()), end - std::min(second, name.size())));
    if (!low || !high || *low > *high || static_cast<std::size_t>(*high - *low) >= kLongest) continue;
    for (std::int64_t i = *low; i <= *high && out.size() < 65'536; i++) {
      const std::string begun = name.substr(0, first) + std::to_string(i);
      expand_ranges(begun + name.substr(end), out, begun.size());
    }
    return;
  }
  out.push_back(std::move(name));
}

}  // namespace

std::vector<Statement> statements_of_lines(std::string_view text, const std::string& file) {
  StatementList list;
  for (const printed::NumberedLine& line : printed::numbered_lines(text)) {
    const SourceSpan where{file, line.number, 0};
    if (const auto words = behind(line.text, "nv set ")) list.add({quoted_words(*words), where});
    if (const auto words = behind(line.text, "nv unset ")) list.take_back(quoted_words(*words));
  }
  return list.take();
}

Result<std::vector<Statement>> statements_of_tree(std::string_view text, const std::string& file) {
  StatementList list;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '{' || text[first] == '[')) {
    const auto root = parse_json(text, file, "RY-CFG-003");
    if (!root) return root.error();
    walk_sections(*root, list);
    return list.take();
  }
  const auto documents = parse_yaml(text, file, "RY-CFG-003");
  if (!documents) return documents.error();
  for (const Document& document : *documents) walk_sections(document, list);
  return list.take();
}

std::vector<std::string> ports_of(std::string_view list) {
  std::vector<std::string> out;
  for (const std::string_view item : sonic::items_of(list)) expand_ranges(std::string(item), out, 0);
  return out;
}

std::vector<std::size_t> indices_of(std::string_view list, std::size_t limit) {
  std::vector<std::size_t> out;
  for (const std::string_view item : sonic::items_of(list)) {
    const std::size_t dash = item.find('-');
    const auto first = whole_of(item.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : whole_of(item.substr(dash + 1));
    if (!first || !last || *first < 0) continue;
    for (std::int64_t i = *first; i <= *last && i < static_cast<std::int64_t>(limit); i++)
      out.push_back(static_cast<std::size_t>(i));
  }
  return out;
}

std::optional<std::int64_t> whole_of(std::string_view word) { return sonic::number_of(word); }

std::optional<double> size_of(std::string_view text) {
  text = printed::without_blanks(text);
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || !std::isfinite(value) || value < 0 || value > 1e15) return std::nullopt;
  const std::string_view number = text.substr(0, static_cast<std::size_t>(end.ptr - text.data()));
  const std::string_view unit = printed::without_blanks(text.substr(number.size()));
  const double scale = unit == "KB" ? 1024.0 : unit == "MB" ? 1048576.0 : unit == "GB" ? 1073741824.0 : 1.0;
  const std::size_t point = number.find('.');
  if (scale == 1.0 || point == std::string_view::npos) return std::round(value * scale);
  const double bytes = value * scale, rounding = 0.5 * std::pow(10.0, -static_cast<double>(number.size() - point - 1)) * scale;
  for (const double step : {1e6, 1e5, 1e4, 1e3})
    if (const double round = std::round(bytes / step) * step; round > 0 && std::abs(round - bytes) <= rounding) return round;
  return std::round(bytes);
}

bool is_on(std::string_view word) {
  return word == "on" || word == "enable" || word == "enabled" || word == "yes" || word == "true" || word == "up";
}

}  // namespace railyard::nvue
