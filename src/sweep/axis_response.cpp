#include "sweep/axis_response.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "sweep/designs.h"

namespace railyard {

namespace {

constexpr std::size_t kMostResponseValues = 24, kResponseRanges = 12;

/// Numbers of an axis, by point, in one unit.
struct AxisAmounts {
  std::vector<double> numbers;
  std::string unit;
};

/// Nothing where some are no numbers, or have other units; seeds are names, too.
std::optional<AxisAmounts> amounts_of(const SweepTable& table, std::size_t axis) {
  if (table.axes[axis] == kSeedAxis) return std::nullopt;
  AxisAmounts out;
  for (std::size_t p = 0; p < table.points.size(); p++) {
    const Document& value = table.points[p][axis];
    double number = 0;
    std::string unit;
    if (const double* const plain = value.number(number)) {
      number = *plain;
    } else if (const std::string* const text = value.text()) {
      const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), number);
      if (problem != std::errc()) return std::nullopt;
      unit = text->substr(static_cast<std::size_t>(end - text->data()));
      unit.erase(0, unit.find_first_not_of(' '));
    } else {
      return std::nullopt;
    }
    if (!std::isfinite(number) || (p > 0 && unit != out.unit)) return std::nullopt;
    out.unit = unit;
    out.numbers.push_back(number);
  }
  return out;
}

/// Every value that there is, if these are not too many.
bool take_values(const SweepTable& table, std::size_t axis, AxisResponse& out) {
  std::map<std::string, std::uint32_t> known;
  for (std::size_t p = 0; p < table.points.size(); p++) {
    const std::string text = sweep_value_text(table.points[p][axis]);
    const auto [found, is_new] = known.try_emplace(text, static_cast<std::uint32_t>(out.values.size()));
    if (is_new) out.values.push_back({.text = text});
    if (out.values.size() > kMostResponseValues) return false;
    out.by_point.push_back(found->second);
  }
  return true;
}

/// Ranges with equally many points; points of one number are in one range.
void take_ranges(const AxisAmounts& amounts, AxisResponse& out) {
  const std::vector<double>& numbers = amounts.numbers;
  std::vector<std::uint32_t> order(numbers.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return numbers[a] < numbers[b]; });
  out.values.clear();
  out.by_point.assign(numbers.size(), AxisResponse::kNone);
  std::size_t last_range = kResponseRanges;
  double first = 0;
  for (std::size_t i = 0; i < order.size(); i++) {
    const double number = numbers[order[i]];
    const std::size_t range = i * kResponseRanges / order.size();
    if (range != last_range && (i == 0 || number != numbers[order[i - 1]])) {
      out.values.push_back({});
      first = number;
    }
    last_range = range;
    out.values.back().text = number == first ? fmt::format("{:.4g}", number) : fmt::format("{:.4g} to {:.4g}", first, number);
    if (!amounts.unit.empty()) out.values.back().text += " " + amounts.unit;
    out.by_point[order[i]] = static_cast<std::uint32_t>(out.values.size() - 1);
  }
}

/// Where values are, each the mean of its points.
void place_values(const AxisAmounts& amounts, AxisResponse& out) {
  std::vector<double> sums(out.values.size(), 0), counts(out.values.size(), 0);
  for (std::size_t p = 0; p < amounts.numbers.size(); p++) {
    sums[out.by_point[p]] += amounts.numbers[p];
    counts[out.by_point[p]]++;
  }
  for (std::size_t v = 0; v < out.values.size(); v++) out.values[v].at = sums[v] / counts[v];
  out.unit = amounts.unit;
}

/// A hypercube has values in any order: numbers that go neither up nor down are put into theirs.
void order_values(AxisResponse& out) {
  const auto is_lower = [](const AxisResponse::Value& a, const AxisResponse::Value& b) { return a.at < b.at; };
  if (std::is_sorted(out.values.begin(), out.values.end(), is_lower) ||
      std::is_sorted(out.values.rbegin(), out.values.rend(), is_lower))
    return;
  std::vector<std::uint32_t> order(out.values.size()), places(out.values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return is_lower(out.values[a], out.values[b]); });
  std::vector<AxisResponse::Value> values;
  for (std::uint32_t i = 0; i < order.size(); i++) {
    values.push_back(out.values[order[i]]);
    places[order[i]] = i;
  }
  out.values = std::move(values);
  for (std::uint32_t& value : out.by_point) value = places[value];
}

/// How many times as far the farthest neighbours are apart as the nearest.
double unevenness(std::vector<double> places) {
  std::sort(places.begin(), places.end());
  double least = INFINITY, most = 0;
  for (std::size_t i = 1; i < places.size(); i++) {
    least = std::min(least, places[i] - places[i - 1]);
    most = std::max(most, places[i] - places[i - 1]);
  }
  return least > 0 ? most / least : INFINITY;
}

AxisScale scale_of(const std::vector<AxisResponse::Value>& values) {
  constexpr double kFar = 4;  // from the least to the most, from which on a factor may say more than a difference
  std::vector<double> places, logs;
  for (const AxisResponse::Value& value : values) {
    places.push_back(value.at);
    logs.push_back(value.at > 0 ? std::log(value.at) : NAN);
  }
  const auto [least, most] = std::minmax_element(places.begin(), places.end());
  if (values.size() < 3 || *least <= 0 || *most / *least < kFar) return AxisScale::linear;
  return unevenness(logs) < unevenness(places) ? AxisScale::log : AxisScale::linear;
}

/// Means, and what lies around them; values that have the figure nowhere go.
void measure(const SweepTable& table, std::size_t figure, AxisResponse& out) {
  double sum = 0, count = 0;
  for (AxisResponse::Value& value : out.values) value.least = INFINITY, value.most = -INFINITY;
  for (std::size_t p = 0; p < table.rows.size(); p++) {
    const double measured = table.rows[p].values[figure];
    if (std::isnan(measured)) continue;
    AxisResponse::Value& value = out.values[out.by_point[p]];
    value.points++, value.mean += measured;
    value.least = std::min(value.least, measured), value.most = std::max(value.most, measured);
    sum += measured, count++;
  }
  std::vector<std::uint32_t> kept(out.values.size(), AxisResponse::kNone);
  std::uint32_t next = 0;
  for (std::size_t v = 0; v < out.values.size(); v++)
    if (out.values[v].points > 0) kept[v] = next++;
  for (std::uint32_t& value : out.by_point) value = kept[value];
  std::erase_if(out.values, [](const AxisResponse::Value& value) { return value.points == 0; });
  double least = INFINITY, most = -INFINITY;
  for (AxisResponse::Value& value : out.values) {
    value.mean /= static_cast<double>(value.points);
    least = std::min(least, value.mean), most = std::max(most, value.mean);
  }
  out.effect = sum != 0 && !out.values.empty() ? (most - least) / std::abs(sum / count) : 0;
}

}  // namespace

std::vector<AxisResponse> axis_responses(const SweepTable& table, std::size_t figure) {
  std::vector<AxisResponse> out;
  for (std::size_t a = 0; a < table.axes.size(); a++) {
    AxisResponse response{.axis = table.axes[a]};
    const std::optional<AxisAmounts> amounts = amounts_of(table, a);
    if (!take_values(table, a, response)) {
      if (!amounts) continue;
      take_ranges(*amounts, response);
    }
    if (amounts) {
      place_values(*amounts, response);
      order_values(response);
    }
    measure(table, figure, response);
    if (response.values.size() < 2) continue;
    if (amounts) response.scale = scale_of(response.values);
    out.push_back(std::move(response));
  }
  std::stable_sort(out.begin(), out.end(), [](const AxisResponse& a, const AxisResponse& b) {
    const bool a_is_seed = a.axis == kSeedAxis, b_is_seed = b.axis == kSeedAxis;
    return a_is_seed != b_is_seed ? b_is_seed : a.effect > b.effect;
  });
  return out;
}

std::vector<std::vector<double>> mean_of_pairs(const SweepTable& table, std::size_t figure, const AxisResponse& down,
                                               const AxisResponse& across) {
  std::vector<std::vector<double>> sums(down.values.size(), std::vector<double>(across.values.size(), 0)), counts = sums;
  for (std::size_t p = 0; p < table.rows.size(); p++) {
    const double measured = table.rows[p].values[figure];
    if (std::isnan(measured)) continue;
    sums[down.by_point[p]][across.by_point[p]] += measured;
    counts[down.by_point[p]][across.by_point[p]]++;
  }
  for (std::size_t i = 0; i < sums.size(); i++)
    for (std::size_t k = 0; k < sums[i].size(); k++)
      sums[i][k] = counts[i][k] > 0 ? sums[i][k] / counts[i][k] : SweepRow::none();
  return sums;
}

}  // namespace railyard
