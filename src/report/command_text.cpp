#include "report/command_text.h"

#include <string_view>

namespace railyard {

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string set_words(const std::vector<std::string>& overrides) {
  std::string out;
  for (const std::string& one : overrides) out += " --set " + shell_word(one);
  return out;
}

std::string run_command_text(const std::string& scenario, const std::vector<std::string>& overrides) {
  return "railyard run " + shell_word(scenario) + set_words(overrides);
}

}  // namespace railyard
