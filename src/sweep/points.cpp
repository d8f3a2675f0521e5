#include "sweep/points.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/quantity_text.h"
#include "base/rng.h"
#include "sweep/condition.h"

namespace railyard {

namespace {

constexpr std::uint64_t kMostCombinations = 20'000'000, kMostSweepPoints = 1'000'000;

Diagnostic points_refusal(const char* code, std::string message, std::string hint, const SourceSpan& where) {
  return {Severity::error, code, std::move(message), std::move(hint), where};
}

/// Each axis is cut into as many equal parts as there are points, and each part is drawn from once, in an order of its own.
std::vector<SweepAxis> drawn_axes(const SweepSpec& spec) {
  const std::uint32_t points = *spec.hypercube;
  std::vector<SweepAxis> axes;
  for (std::size_t a = 0; a < spec.axes.size(); a++) {
    const SweepAxis& axis = spec.axes[a];
    Rng order(spec.hypercube_seed, "sweep-order", a), place(spec.hypercube_seed, "sweep-place", a);
    std::vector<std::uint32_t> part(points);
    for (std::uint32_t i = 0; i < points; i++) part[i] = i;
    for (std::uint32_t i = points; i > 1; i--) std::swap(part[i - 1], part[order.below(i)]);
    SweepAxis drawn{axis.key, axis.where, {}, axis.range};
    for (std::uint32_t i = 0; i < points; i++) {
      const double share = (part[i] + place.unit()) / points;
      const auto nth = static_cast<std::size_t>(share * static_cast<double>(axis.values.size()));
      drawn.values.push_back(axis.values.empty() ? axis.range->at(share, axis.where) : axis.values[nth]);
    }
    axes.push_back(std::move(drawn));
  }
  return axes;
}

/// Of a value that is a number in a unit, the number.
std::optional<std::pair<double, std::string>> number_and_unit(const std::string& text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc()) return std::nullopt;
  return std::pair{number, text.substr(static_cast<std::size_t>(end - text.data()))};
}

ConditionValue condition_value(const Document& value) {
  double storage = 0;
  if (const double* const number = value.number(storage)) return *number;
  if (value.boolean()) return *value.boolean();
  return sweep_value_text(value);
}

/// Values of an axis for conditions: numbers of one unit count as numbers.
std::vector<ConditionValue> condition_values(const SweepAxis& axis) {
  std::vector<ConditionValue> values;
  std::optional<std::string> unit;
  bool is_amount = true;
  for (const Document& value : axis.values) {
    const auto parts = value.text() ? number_and_unit(*value.text()) : std::nullopt;
    is_amount = is_amount && parts && (!unit || *unit == parts->second);
    if (parts) unit = parts->second;
  }
  for (const Document& value : axis.values)
    values.push_back(is_amount ? ConditionValue(number_and_unit(*value.text())->first) : condition_value(value));
  return values;
}

/// All conditions of a sweep, over choices.
class Filter {
 public:
  static Result<Filter> make(const SweepSpec& spec, const std::vector<SweepAxis>& axes, const Document& scenario) {
    Filter filter;
    for (const SweepAxis& axis : axes) filter.values_.push_back(condition_values(axis));
    const auto find = [&](std::string_view name) -> ConditionName {
      for (std::size_t a = 0; a < axes.size(); a++)
        if (axes[a].key == name) return a;
      const Document* const value = scenario.at_path(name);
      if (!value || value->members() || value->items()) return {};
      return condition_value(*value);
    };
    for (const SweepCondition& text : spec.where) {
      const auto condition = Condition::parse(text.text, find);
      if (!condition) return mistake(text, condition.error());
      filter.conditions_.emplace_back(text, *condition);
    }
    return filter;
  }

  [[nodiscard]] Result<bool> keeps(std::span<const std::uint32_t> choices) {
    if (conditions_.empty()) return true;
    row_.clear();
    for (std::size_t a = 0; a < choices.size(); a++) row_.push_back(values_[a][choices[a]]);
    for (const auto& [text, condition] : conditions_) {
      const auto holds = condition.holds(row_);
      if (!holds) return mistake(text, holds.error());
      if (!*holds) return false;
    }
    return true;
  }

 private:
  static Diagnostic mistake(const SweepCondition& text, const std::string& why) {
    return points_refusal("RY-SWP-006", fmt::format("'{}' cannot be used as a condition: {}", text.text, why),
                          "write for instance where = \"parallel.tensor * parallel.pipeline <= 64\"", text.where);
  }

  std::vector<std::vector<ConditionValue>> values_;
  std::vector<std::pair<SweepCondition, Condition>> conditions_;
  std::vector<ConditionValue> row_;
};

std::uint64_t combinations(const std::vector<SweepAxis>& axes) {
  std::uint64_t count = 1;
  for (const SweepAxis& axis : axes) {
    count *= axis.values.size();
    if (count > kMostCombinations) break;
  }
  return count;
}

Diagnostic too_many(std::uint64_t count, std::uint64_t most, const SweepSpec& spec) {
  return points_refusal("RY-SWP-008",
                        fmt::format("{} points or more are beyond the {} of a sweep", format_count(count), format_count(most)),
                        "give fewer values, or draw some of them with sweep.hypercube", spec.at);
}

}  // namespace

Result<SweepPoints> SweepPoints::make(const SweepSpec& spec, const Document& scenario) {
  SweepPoints points;
  points.axes_ = spec.hypercube ? drawn_axes(spec) : spec.axes;
  if (spec.seeds) points.axes_.push_back(*spec.seeds);
  const std::size_t width = points.axes_.size();
  const std::uint64_t seeds = spec.seeds ? spec.seeds->values.size() : 1;
  const std::uint64_t all = spec.hypercube ? *spec.hypercube * seeds : combinations(points.axes_);
  if (all > kMostCombinations) return too_many(all, kMostCombinations, spec);
  Result<Filter> filter = Filter::make(spec, points.axes_, scenario);
  if (!filter) return filter.error();
  std::vector<std::uint32_t> chosen(width);
  for (std::uint64_t n = 0; n < all; n++) {
    std::uint64_t rest = n;
    for (std::size_t a = width; a-- > 0;) {
      const bool is_seed = spec.seeds && a + 1 == width;
      const std::uint64_t size = points.axes_[a].values.size();
      chosen[a] = static_cast<std::uint32_t>(spec.hypercube && !is_seed ? rest : rest % size);
      if (!spec.hypercube || is_seed) rest /= size;
    }
    const Result<bool> is_kept = filter->keeps(chosen);
    if (!is_kept) return is_kept.error();
    if (*is_kept) points.choices_.insert(points.choices_.end(), chosen.begin(), chosen.end());
    if (points.size() > kMostSweepPoints) return too_many(points.size(), kMostSweepPoints, spec);
  }
  if (points.size() == 0)
    return points_refusal("RY-SWP-008", "no point is left", "no combination of values meets every condition of sweep.where",
                          spec.at);
  return points;
}

}  // namespace railyard
