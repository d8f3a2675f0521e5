#include "measured/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/json.h"
#include "base/printable.h"

namespace railyard::measured_text {

namespace {

constexpr double kLargestSize = 1e18;  // bytes
constexpr std::size_t kLongestText = 300;
constexpr std::string_view kJsonCode = "RY-MSR-001";  // never shown: what cannot be parsed is listed as skipped

template<class Number>
std::optional<Number> whole_text(std::string_view text) {
  Number value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> plain_decimal(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto value = whole_text<double>(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return value;
}

/// Where JSON that breaks off can be cut so that only whole values stay, and what closes it there.
struct Cut {
  std::size_t length = 0;
  std::string closing;
};

Cut last_whole_value(std::string_view text) {
  constexpr std::size_t kDeepest = 64;  // what is deeper is not parsed anyway
  Cut best;
  std::string open;  // closing brackets, innermost last
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); at++) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') at++;
      in_string = c != '"';
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') open += c == '{' ? '}' : ']';
    if (open.size() > kDeepest) break;
    const bool closes = (c == '}' || c == ']') && !open.empty();
    if (closes) open.pop_back();
    if (closes || c == '{' || c == '[') best = {at + 1, open};
    if (c == ',') best = {at, open};
  }
  std::reverse(best.closing.begin(), best.closing.end());
  return best;
}

}  // namespace

bool contains(std::string_view text, std::string_view part) {
  return text.size() >= part.size() && memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

std::optional<std::uint64_t> digits(std::string_view text) { return whole_text<std::uint64_t>(text); }

std::optional<std::uint32_t> small_number(std::string_view text) { return whole_text<std::uint32_t>(text); }

std::optional<std::uint32_t> leading_number(std::string_view text) {
  return small_number(text.substr(0, text.find_first_not_of("0123456789")));
}

std::optional<double> decimal(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return plain_decimal(text);
  std::string with_point(text);
  with_point[comma] = '.';
  return plain_decimal(with_point);
}

std::optional<double> grouped_number(std::string_view text) {
  if (text.find(',') == std::string_view::npos) return plain_decimal(text);
  std::string plain(text);
  plain.erase(std::remove(plain.begin(), plain.end(), ','), plain.end());
  return plain_decimal(plain);
}

std::optional<std::string_view> behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + key.size());
}

std::string_view word_behind(std::string_view text, std::string_view key) {
  const std::string_view rest = without_blanks(behind(text, key).value_or(""));
  return rest.substr(0, rest.find_first_of(" \t"));
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string short_text(std::string_view text) { return printable(text.substr(0, kLongestText)); }

void add_skipped(Measurements& all, std::string_view what, const SourceSpan& where) {
  for (auto one = all.skipped.rbegin(); one != all.skipped.rend() && one->where.file == where.file; ++one)
    if (one->what == what) {
      one->times++;
      return;
    }
  all.skipped.push_back({std::string(what), 1, where});
}

std::optional<Document> json_value(std::string_view text) {
  auto document = parse_json(text, "", kJsonCode);
  if (!document) return std::nullopt;
  return std::move(*document);
}

std::optional<Document> json_of(const MeasuredText& text, std::string_view what, Measurements& all) {
  if (auto document = parse_json(text.text, text.file, kJsonCode)) return std::move(*document);
  const Cut cut = last_whole_value(text.text);
  auto rest = parse_json(text.text.substr(0, cut.length) + cut.closing, text.file, kJsonCode);
  add_skipped(all, fmt::format("the end of {} that is cut off or broken", what), {text.file, 0, 0});
  if (!rest) return std::nullopt;
  return std::move(*rest);
}

std::optional<double> number_in(const Document& object, std::string_view key) {
  const Document* member = object.find(key);
  if (!member) return std::nullopt;
  double storage = 0;
  if (const double* value = member->number(storage)) return std::isfinite(*value) ? std::optional(*value) : std::nullopt;
  return member->text() ? plain_decimal(without_blanks(*member->text())) : std::nullopt;
}

std::optional<std::uint32_t> small_number_in(const Document& object, std::string_view key) {
  const auto value = number_in(object, key);
  if (!value || *value < 0 || *value > 4294967295.0 || *value != std::floor(*value)) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

std::string text_in(const Document& object, std::string_view key) {
  const Document* member = object.find(key);
  return member && member->text() ? *member->text() : std::string();
}

std::optional<Bytes> size_of(double bytes) {
  if (!(bytes >= 0 && bytes <= kLargestSize)) return std::nullopt;
  return Bytes(static_cast<std::int64_t>(bytes));
}

}  // namespace railyard::measured_text
