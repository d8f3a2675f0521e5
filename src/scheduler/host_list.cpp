#include "scheduler/host_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/printable.h"
#include "base/printed_text.h"

namespace railyard {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_in_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
}

/// Texts between commas that are in no bracket.
std::vector<std::string_view> split_expressions(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); i++) {
    if (i < text.size() && text[i] == '[') depth++;
    if (i < text.size() && text[i] == ']') depth--;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

/// "001-128" or "130" as numbers with as many digits.
std::optional<std::string> expand_range(std::string_view range, std::vector<std::string>& out) {
  constexpr std::uint64_t kLargest = 999'999'999;
  const std::size_t dash = range.find('-');
  const std::string_view low = range.substr(0, dash), high = dash == std::string_view::npos ? low : range.substr(dash + 1);
  const auto number = [](std::string_view text) {
    const bool is_one = !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
    return is_one ? printed::whole_number(text, kLargest).value_or(kLargest + 1) : kLargest + 1;
  };
  const std::uint64_t first = number(low), last = number(high);
  constexpr std::size_t kMostDigits = 20;
  if (first > kLargest || last > kLargest || low.size() > kMostDigits)
    return fmt::format("\"{}\" is no range of numbers", printable(range));
  if (last < first) return fmt::format("\"{}\" counts backwards", printable(range));
  if (last - first >= kMostHosts) return fmt::format("\"{}\" stands for more than {} hosts", printable(range), kMostHosts);
  for (std::uint64_t i = first; i <= last; i++) out.push_back(fmt::format("{:0{}}", i, low.size()));
  return std::nullopt;
}

/// Every name with every one of `endings` behind it.
std::optional<std::string> multiply(std::vector<std::string>& names, const std::vector<std::string>& endings) {
  if (names.size() * endings.size() > kMostHosts) return fmt::format("it stands for more than {} hosts", kMostHosts);
  std::vector<std::string> all;
  all.reserve(names.size() * endings.size());
  for (const std::string& name : names)
    for (const std::string& ending : endings) all.push_back(name + ending);
  names = std::move(all);
  return std::nullopt;
}

std::optional<std::string> expand_one(std::string_view text, std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 255;
  if (text.empty()) return "a name between two commas is missing";
  if (text.size() > std::size_t{1} << 20) return "it is too long";
  std::vector<std::string> found = {""};
  for (std::size_t at = 0; at < text.size();) {
    std::vector<std::string> endings;
    if (text[at] == '[') {
      const std::size_t end = text.find(']', at);
      if (end == std::string_view::npos) return fmt::format("\"{}\" has a bracket that is not closed", printable(text));
      for (const std::string_view range : printed::split_at(text.substr(at + 1, end - at - 1), ','))
        if (auto wrong = expand_range(range, endings); wrong || endings.size() > kMostHosts)
          return wrong ? wrong : fmt::format("it stands for more than {} hosts", kMostHosts);
      at = end + 1;
    } else {
      const std::size_t end = std::min(text.find('[', at), text.size());
      const std::string_view plain = text.substr(at, end - at);
      if (plain.size() > kLongest || !std::all_of(plain.begin(), plain.end(), is_in_name))
        return fmt::format("\"{}\" is no name of a host", printable(text.substr(0, kLongest)));
      endings.emplace_back(plain);
      at = end;
    }
    if (auto wrong = multiply(found, endings)) return wrong;
  }
  names.insert(names.end(), found.begin(), found.end());
  if (names.size() > kMostHosts) return fmt::format("it stands for more than {} hosts", kMostHosts);
  return std::nullopt;
}

/// The digits at `at`, without leading zeros.
std::string_view number_at(std::string_view text, std::size_t at, std::size_t& end) {
  end = at;
  while (end < text.size() && is_digit(text[end])) end++;
  while (at + 1 < end && text[at] == '0') at++;
  return text.substr(at, end - at);
}

}  // namespace

std::optional<std::string> expand_hosts(std::string_view text, std::vector<std::string>& names) {
  for (const std::string_view one : split_expressions(text))
    if (auto wrong = expand_one(one, names)) return wrong;
  return std::nullopt;
}

bool is_before(std::string_view a, std::string_view b) {
  std::size_t i = 0, k = 0;
  while (i < a.size() && k < b.size()) {
    if (is_digit(a[i]) && is_digit(b[k])) {
      std::size_t i_end = 0, k_end = 0;
      const std::string_view x = number_at(a, i, i_end), y = number_at(b, k, k_end);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      i = i_end, k = k_end;
    } else {
      if (a[i] != b[k]) return a[i] < b[k];
      i++, k++;
    }
  }
  const bool a_ends = i == a.size(), b_ends = k == b.size();
  return a_ends != b_ends ? a_ends : a < b;
}

}  // namespace railyard
