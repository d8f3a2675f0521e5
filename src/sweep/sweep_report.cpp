#include "sweep/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/nearest.h"
#include "base/quantity_text.h"
#include "sweep/figures.h"

namespace railyard {

namespace {

constexpr std::size_t kMostResponseValues = 24, kMostListed = 10;

/// Whether a larger value is a better one.
bool is_more_better(const std::string& figure) {
  for (const char* const part : {"tokens", "tflops", "mfu", "bw_", "goodput"})
    if (figure.find(part) != std::string::npos) return true;
  return false;
}

std::string number_text(double value) { return std::isnan(value) ? std::string("–") : fmt::format("{:.4g}", value); }

/// "time_s" with its unit, where the name has none: "mfu".
std::string point_text(const SweepTable& table, std::size_t point) {
  std::string out;
  for (std::size_t a = 0; a < table.axes.size(); a++)
    out += fmt::format("{}{} = {}", a == 0 ? "" : ", ", table.axes[a], sweep_value_text(table.points[point][a]));
  return out;
}

/// Points that have the figure, the best first.
std::vector<std::size_t> ranked_points(const SweepTable& table, std::size_t figure) {
  std::vector<std::size_t> order;
  for (std::size_t p = 0; p < table.rows.size(); p++)
    if (!std::isnan(table.rows[p].values[figure])) order.push_back(p);
  const bool is_more = is_more_better(table.figures[figure]);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double x = table.rows[a].values[figure], y = table.rows[b].values[figure];
    return is_more ? x > y : x < y;
  });
  return order;
}

/// "840 points: 435 were run, 405 were refused (RY-SCN-030: 180, RY-MEM-001: 120)."
std::string counts_sentence(const SweepTable& table) {
  std::map<PointStatus, std::size_t> by_status;
  std::map<std::string, std::size_t> by_code;
  for (const SweepRow& row : table.rows) {
    by_status[row.status]++;
    if (row.status != PointStatus::ok) by_code[row.code]++;
  }
  std::string text =
      fmt::format("{} points: {} were run", format_count(table.rows.size()), format_count(by_status[PointStatus::ok]));
  if (by_status[PointStatus::failed] > 0) text += fmt::format(", {} never ended", format_count(by_status[PointStatus::failed]));
  if (by_status[PointStatus::refused] > 0)
    text += fmt::format(", {} were refused", format_count(by_status[PointStatus::refused]));
  std::vector<std::pair<std::string, std::size_t>> codes(by_code.begin(), by_code.end());
  std::stable_sort(codes.begin(), codes.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string list;
  for (const auto& code : codes)
    list += fmt::format("{}{}: {}", list.empty() ? "" : ", ", code.first, format_count(code.second));
  return text + (list.empty() ? "." : " (" + list + ").");
}

std::string best_sentence(const SweepTable& table, std::size_t figure) {
  const std::vector<std::size_t> order = ranked_points(table, figure);
  const std::size_t best = order.front(), worst = order.back();
  return fmt::format("{} is best at point {} ({}): {}. It is worst at point {}: {}.", table.figures[figure], best,
                     point_text(table, best), number_text(table.rows[best].values[figure]), worst,
                     number_text(table.rows[worst].values[figure]));
}

TextTable best_table(const SweepTable& table, std::size_t figure) {
  TextTable out;
  out.header = {"point"}, out.align = {Align::right};
  for (const std::string& axis : table.axes) out.header.push_back(axis), out.align.push_back(Align::right);
  for (const std::string& name : table.figures) out.header.push_back(name), out.align.push_back(Align::right);
  std::vector<std::size_t> order = ranked_points(table, figure);
  order.resize(std::min(order.size(), kMostListed));
  for (const std::size_t p : order) {
    std::vector<std::string>& row = out.rows.emplace_back(1, std::to_string(p));
    for (const Document& value : table.points[p]) row.push_back(sweep_value_text(value));
    for (const double value : table.rows[p].values) row.push_back(number_text(value));
  }
  return out;
}

TextTable response_table(const AxisResponse& response) {
  TextTable out{{response.axis, "mean", "least", "most", "points", ""},
                {Align::right, Align::right, Align::right, Align::right, Align::right, Align::left},
                {}};
  double largest = 0;
  for (const AxisResponse::Value& value : response.values) largest = std::max(largest, value.mean);
  constexpr double kLongestBar = 30;
  for (const AxisResponse::Value& value : response.values) {
    std::string bar;
    for (double i = 0.5; largest > 0 && i < value.mean / largest * kLongestBar; i++) bar += "█";
    out.rows.push_back({value.text, number_text(value.mean), number_text(value.least), number_text(value.most),
                        std::to_string(value.points), bar});
  }
  return out;
}

/// Means of a figure at every pair of values of two axes; a shade tells how high each is.
TextTable heat_table(const SweepTable& table, std::size_t figure, const AxisResponse& down, const AxisResponse& across) {
  const auto place = [&](const std::string& axis) {
    return static_cast<std::size_t>(std::find(table.axes.begin(), table.axes.end(), axis) - table.axes.begin());
  };
  std::map<std::pair<std::string, std::string>, std::pair<double, double>> sums;
  for (std::size_t p = 0; p < table.rows.size(); p++) {
    const double value = table.rows[p].values[figure];
    if (std::isnan(value)) continue;
    auto& sum =
        sums[{sweep_value_text(table.points[p][place(down.axis)]), sweep_value_text(table.points[p][place(across.axis)])}];
    sum.first += value, sum.second++;
  }
  double least = INFINITY, most = -INFINITY;
  for (const auto& cell : sums) {
    least = std::min(least, cell.second.first / cell.second.second);
    most = std::max(most, cell.second.first / cell.second.second);
  }
  constexpr const char* kShades[] = {" ", "░", "▒", "▓", "█"};
  TextTable out;
  out.header = {fmt::format("{} \\ {}", down.axis, across.axis)}, out.align = {Align::right};
  for (const AxisResponse::Value& column : across.values) out.header.push_back(column.text), out.align.push_back(Align::right);
  for (const AxisResponse::Value& line : down.values) {
    std::vector<std::string>& row = out.rows.emplace_back(1, line.text);
    for (const AxisResponse::Value& column : across.values) {
      const auto found = sums.find({line.text, column.text});
      if (found == sums.end()) {
        row.emplace_back("–");
        continue;
      }
      const double mean = found->second.first / found->second.second;
      const auto shade = most > least ? static_cast<std::size_t>((mean - least) / (most - least) * 4.0 + 0.5) : 0;
      row.push_back(fmt::format("{} {}", number_text(mean), kShades[std::min<std::size_t>(shade, 4)]));
    }
  }
  return out;
}

}  // namespace

Result<std::size_t> shown_figure(const SweepTable& table, const std::string& asked) {
  const auto find = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(table.figures.begin(), table.figures.end(), name) - table.figures.begin());
  };
  if (asked.empty()) return find("time_s") < table.figures.size() ? find("time_s") : 0;
  if (find(asked) < table.figures.size()) return find(asked);
  const std::string guess = nearest(asked, table.figures);
  return Diagnostic{
      Severity::error,
      "RY-SWP-016",
      fmt::format("this sweep has no figure '{}'", asked),
      guess.empty() ? fmt::format("it has {}", fmt::join(table.figures, ", ")) : fmt::format("did you mean '{}'?", guess),
      {}};
}

std::vector<AxisResponse> axis_responses(const SweepTable& table, std::size_t figure) {
  std::vector<AxisResponse> out;
  for (std::size_t a = 0; a < table.axes.size(); a++) {
    AxisResponse response{table.axes[a], {}, 0};
    double sum = 0, count = 0;
    for (std::size_t p = 0; p < table.rows.size(); p++) {
      const double figure_value = table.rows[p].values[figure];
      const std::string text = sweep_value_text(table.points[p][a]);
      auto found = std::find_if(response.values.begin(), response.values.end(),
                                [&](const AxisResponse::Value& value) { return value.text == text; });
      if (found == response.values.end() && response.values.size() > kMostResponseValues) break;
      if (found == response.values.end()) found = response.values.insert(found, {text, 0, 0, INFINITY, -INFINITY});
      if (std::isnan(figure_value)) continue;
      found->points++, found->mean += figure_value;
      found->least = std::min(found->least, figure_value), found->most = std::max(found->most, figure_value);
      sum += figure_value, count++;
    }
    std::erase_if(response.values, [](const AxisResponse::Value& value) { return value.points == 0; });
    if (response.values.size() < 2 || response.values.size() > kMostResponseValues) continue;
    double least = INFINITY, most = -INFINITY;
    for (AxisResponse::Value& value : response.values) {
      value.mean /= static_cast<double>(value.points);
      least = std::min(least, value.mean), most = std::max(most, value.mean);
    }
    response.effect = sum != 0 ? (most - least) / std::abs(sum / count) : 0;
    out.push_back(std::move(response));
  }
  std::stable_sort(out.begin(), out.end(), [](const AxisResponse& a, const AxisResponse& b) { return a.effect > b.effect; });
  return out;
}

Report sweep_report(const SweepTable& table, std::optional<std::size_t> figure) {
  Report report{table.title, {}};
  std::string answer = counts_sentence(table);
  if (figure) answer += " " + best_sentence(table, *figure);
  report.sections.push_back({"", {answer}});
  if (!figure) return report;
  const std::string& name = table.figures[*figure];
  report.sections.push_back({"The best points by " + name, {best_table(table, *figure)}});
  const std::vector<AxisResponse> responses = axis_responses(table, *figure);
  if (responses.size() >= 2)
    report.sections.push_back({fmt::format("{} by {} and {}", name, responses[0].axis, responses[1].axis),
                               {std::string("Means over all other axes; the darker, the higher."),
                                heat_table(table, *figure, responses[0], responses[1])}});
  for (const AxisResponse& response : responses)
    report.sections.push_back({fmt::format("{} by {}", name, response.axis), {response_table(response)}});
  return report;
}

std::vector<PageBars> sweep_bars(const SweepTable& table, std::optional<std::size_t> figure) {
  std::vector<PageBars> out;
  if (!figure) return out;
  for (const AxisResponse& response : axis_responses(table, *figure)) {
    PageBars bars{fmt::format("{} by {}", table.figures[*figure], response.axis), table.figures[*figure], {}};
    for (const AxisResponse::Value& value : response.values)
      bars.bars.push_back({value.text, value.mean, number_text(value.mean), false});
    out.push_back(std::move(bars));
  }
  return out;
}

}  // namespace railyard
