#include "tools/init/read_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/nearest.h"
#include "base/printable.h"

namespace railyard {

namespace {

struct Degree {
  std::string_view name, everyday;
  std::uint32_t SplitAnswer::*member;
  std::uint32_t least, most;
};
constexpr std::uint32_t kMostRanks = 1U << 20;
constexpr Degree kDegrees[] = {{"tensor", "tp", &SplitAnswer::tensor, 1, kMostRanks},
                               {"context", "cp", &SplitAnswer::context, 1, kMostRanks},
                               {"pipeline", "pp", &SplitAnswer::pipeline, 1, kMostRanks},
                               {"expert", "ep", &SplitAnswer::expert, 1, kMostRanks},
                               {"zero", "zero", &SplitAnswer::zero, 0, 3}};

const Degree* degree_called(std::string_view word) {
  for (const Degree& degree : kDegrees)
    if (word == degree.name || word == degree.everyday) return &degree;
  return nullptr;
}

std::string unknown_degree(const std::string& word) {
  std::vector<std::string> names;
  for (const Degree& degree : kDegrees) names.emplace_back(degree.name);
  const std::string guess = nearest(word, names);
  return fmt::format("'{}' is no kind of parallelism; {}", printable(word),
                     guess.empty() ? "write 'find one', or degrees of tensor, context, pipeline and expert, and zero: tensor=8"
                                   : fmt::format("did you mean '{}'?", guess));
}

/// A name without hyphens, and spelled as Americans do: Tomahawk5, rail-optimised.
std::string plain_letters(std::string_view name) {
  std::string out;
  for (const char c : lower_case(name))
    if (c != '-' && c != '_') out += c;
  if (out.ends_with("ised")) out[out.size() - 3] = 'z';
  return out;
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : text)
    if (c == ' ' || c == '\t' || c == ',' || c == '\r') {
      if (!word.empty()) out.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  if (!word.empty()) out.push_back(std::move(word));
  return out;
}

std::optional<std::uint32_t> count_in(std::string_view word) {
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  return error == std::errc() && end == word.data() + word.size() ? std::optional(count) : std::nullopt;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::optional<std::string> name_in(std::string_view word, const std::vector<std::string>& names) {
  const std::string lower = lower_case(word), plain = plain_letters(word);
  std::vector<std::string> beginning;
  for (const std::string& name : names) {
    if (lower_case(name) == lower) return name;
    if (!lower.empty() && lower_case(name).starts_with(lower)) beginning.push_back(name);
  }
  if (beginning.size() == 1) return beginning.front();
  const auto found = std::find_if(names.begin(), names.end(), [&](const auto& name) { return plain_letters(name) == plain; });
  return found != names.end() && beginning.empty() && !plain.empty() ? std::optional(*found) : std::nullopt;
}

std::optional<double> ratio_in(std::string_view word) {
  const std::size_t colon = word.find(':');
  double parts[2] = {1, 1};
  const std::string_view texts[2] = {word.substr(0, colon), colon == std::string_view::npos ? "1" : word.substr(colon + 1)};
  for (std::size_t i = 0; i < 2; i++) {
    const char* const last = texts[i].data() + texts[i].size();
    const auto [end, error] = std::from_chars(texts[i].data(), last, parts[i], std::chars_format::fixed);
    if (error != std::errc() || end != last || !(parts[i] > 0)) return std::nullopt;
  }
  return parts[0] / parts[1];
}

tl::expected<SplitAnswer, std::string> split_in(std::string_view text) {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), '=', ' ');
  const std::vector<std::string> words = words_of(spaced);
  if (words.empty()) return tl::make_unexpected(std::string("nothing is said; write 'find one' or tensor=8 pipeline=4"));
  SplitAnswer split;
  for (std::size_t i = 0; i < words.size(); i++) {
    const std::size_t digits = std::min(words[i].find_first_of("0123456789"), words[i].size());
    const std::string name = words[i].substr(0, digits);
    const Degree* const degree = degree_called(name);
    if (!degree) return tl::make_unexpected(unknown_degree(name.empty() ? words[i] : name));
    const std::string number = digits < words[i].size() ? words[i].substr(digits) : i + 1 < words.size() ? words[++i] : "";
    const std::optional<std::uint32_t> count = count_in(number);
    if (!count || *count < degree->least || *count > degree->most)
      return tl::make_unexpected(fmt::format("{} = '{}' is no whole number from {} to {}", degree->name, printable(number),
                                             degree->least, degree->most));
    split.*degree->member = *count;
  }
  return split;
}

}  // namespace railyard
