#include "search/axis.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace railyard {

namespace {

constexpr std::size_t kMostValues = 1000;

Diagnostic bad_axis(const std::string& text, const std::string& why) {
  return {Severity::error,
          "RY-SEA-001",
          fmt::format("'{}' is no axis: {}", text, why),
          "write key=1,2,4, key=1..8, key=4..16+4 or key=1..64*2",
          {}};
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// "100 KiB": a number and what comes after it.
struct Amount {
  double number = 0;
  std::string unit;
};

std::optional<Amount> read_amount(std::string_view text) {
  text = trimmed(text);
  Amount amount;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), amount.number);
  if (problem != std::errc()) return std::nullopt;
  amount.unit = std::string(trimmed(text.substr(static_cast<std::size_t>(end - text.data()))));
  return amount;
}

/// From one end to the other: in steps, or each so many times the last.
struct Range {
  Amount first, last;
  double step = 1;
  bool is_log = false;
};

/// What is wrong with a range, or nothing.
std::string wrong_with(const Range& range) {
  if (range.last.number < range.first.number) return "its end comes before its beginning";
  if (range.is_log && (range.step <= 1 || range.first.number <= 0))
    return "what grows by a factor starts above 0, by more than 1";
  if (!range.is_log && range.step <= 0) return "a step is more than 0";
  return {};
}

std::optional<Range> read_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  std::string_view end = text.substr(dots + 2);
  Range range;
  if (const std::size_t sign = end.find_first_of("*+"); sign != std::string_view::npos) {
    const std::optional<Amount> step = read_amount(end.substr(sign + 1));
    if (!step || !step->unit.empty()) return std::nullopt;
    range.is_log = end[sign] == '*';
    range.step = step->number;
    end = end.substr(0, sign);
  }
  const std::optional<Amount> first = read_amount(text.substr(0, dots)), last = read_amount(end);
  if (!first || !last || (!first->unit.empty() && first->unit != last->unit)) return std::nullopt;
  range.first = *first, range.last = *last;
  return range;
}

/// Values of a range; more than `most` of them are cut off there.
std::vector<std::string> values_of(const Range& range, std::size_t most) {
  std::vector<std::string> out;
  const double beyond = range.last.number * (1 + 1e-12);
  for (std::size_t i = 0; out.size() <= most; i++) {
    double value = range.first.number;
    if (range.is_log)
      for (std::size_t k = 0; k < i; k++) value *= range.step;
    else
      value += static_cast<double>(i) * range.step;
    if (value > beyond) break;
    out.push_back(fmt::format("{:.12g}{}{}", value, range.last.unit.empty() ? "" : " ", range.last.unit));
  }
  return out;
}

/// "1, 2,[3, 4]": at commas outside brackets.
std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> out;
  int depth = 0;
  std::string item;
  for (const char c : text) {
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0)
      out.emplace_back(trimmed(item)), item.clear();
    else
      item += c;
  }
  out.emplace_back(trimmed(item));
  return out;
}

}  // namespace

Result<Axis> read_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string key(trimmed(std::string_view(text).substr(0, equals)));
  if (equals == std::string::npos || key.empty()) return bad_axis(text, "it has no key and '='");
  const std::string_view all = trimmed(std::string_view(text).substr(equals + 1));
  std::vector<std::string> values;
  if (const std::optional<Range> range = read_range(all)) {
    if (const std::string wrong = wrong_with(*range); !wrong.empty()) return bad_axis(text, wrong);
    values = values_of(*range, kMostValues);
  } else if (all.find("..") != std::string_view::npos) {
    return bad_axis(text, "its range does not go from a number to a number of the same unit");
  } else {
    values = list_of(all);
  }
  if (values.size() > kMostValues) return bad_axis(text, fmt::format("it has more than {} values", kMostValues));
  Axis axis{key, {}};
  for (const std::string& value : values) {
    if (value.empty()) return bad_axis(text, "one of its values is empty");
    axis.values.push_back({value, {key + "=" + value}});
  }
  return axis;
}

Result<std::vector<Axis>> read_axes(const std::vector<std::string>& texts) {
  std::vector<Axis> axes;
  for (const std::string& text : texts) {
    Result<Axis> axis = read_axis(text);
    if (!axis) return axis.error();
    for (const Axis& other : axes)
      if (other.name == axis->name) return bad_axis(text, "there is another of the same key");
    axes.push_back(std::move(*axis));
  }
  return axes;
}

std::vector<std::string> all_sets(const std::vector<Axis>& axes) {
  std::vector<std::string> out;
  for (const Axis& axis : axes)
    for (const AxisValue& value : axis.values) out.insert(out.end(), value.set.begin(), value.set.end());
  return out;
}

}  // namespace railyard
