#include "measured/terminal.h"

#include <algorithm>
#include <cctype>

#include "measured/text.h"

namespace railyard {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && text.size() < 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
  });
}

/// "gpu01" of "root@gpu01:~", "[root@gpu01 ~]", "leaf1(s1)".
std::string host_of_prompt(std::string_view prompt) {
  std::string_view name = prompt;
  if (const std::size_t at = name.find('@'); at != std::string_view::npos) name.remove_prefix(at + 1);
  name = name.substr(0, name.find_first_of(": ()]~"));
  if (name.starts_with('[')) name.remove_prefix(1);
  return is_name(name) ? std::string(name) : std::string();
}

}  // namespace

PromptLine prompt_line(std::string_view line) {
  constexpr std::size_t kLongestPrompt = 80;
  const std::string_view text = measured_text::without_blanks(line);
  if (text.starts_with("+ ") || text.starts_with("$ ") || text.starts_with("# "))
    return {{}, measured_text::words_of(text.substr(2))};
  const std::size_t end = text.find_first_of("#$>");
  if (end == std::string_view::npos || end == 0 || end > kLongestPrompt || end + 1 >= text.size()) return {};
  std::string host = host_of_prompt(text.substr(0, end));
  const std::vector<std::string_view> command = measured_text::words_of(text.substr(end + 1));
  if (host.empty() || command.empty() || !std::isalpha(static_cast<unsigned char>(command[0][0]))) return {};
  return {std::move(host), command};
}

bool is_date_line(std::string_view line) {
  const std::vector<std::string_view> words = measured_text::words_of(line);
  if (words.empty() || words.size() > 8) return false;
  const auto is_clock = [](std::string_view word) {
    return word.size() >= 8 && word[2] == ':' && word[5] == ':' && std::isdigit(static_cast<unsigned char>(word[0]));
  };
  return std::any_of(words.begin(), words.end(), is_clock) ||
         (words[0].size() >= 19 && words[0][4] == '-' && words[0][10] == 'T' && words[0][13] == ':');
}

}  // namespace railyard
