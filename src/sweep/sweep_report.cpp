#include "sweep/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/nearest.h"
#include "base/quantity_text.h"
#include "sweep/axis_response.h"
#include "sweep/designs.h"
#include "sweep/figures.h"

namespace railyard {

namespace {

constexpr std::size_t kMostListed = 10;

/// Whether a larger value is a better one.
bool is_more_better(const std::string& figure) {
  for (const char* const part : {"tokens", "tflops", "mfu", "bw_", "goodput"})
    if (figure.find(part) != std::string::npos) return true;
  return false;
}

std::string number_text(double value) { return std::isnan(value) ? std::string("–") : fmt::format("{:.4g}", value); }

/// Values of a point on all axes; of a design without the seed.
std::string point_text(const SweepTable& table, std::size_t point) {
  std::string out;
  for (std::size_t a = 0; a < table.axes.size(); a++)
    if (!has_seeds(table) || table.axes[a] != kSeedAxis)
      out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", table.axes[a], sweep_value_text(table.points[point][a]));
  return out;
}

/// The best first.
std::vector<SweepDesign> ranked_designs(const SweepTable& table, std::size_t figure) {
  std::vector<SweepDesign> designs = sweep_designs(table, figure);
  const bool is_more = is_more_better(table.figures[figure]);
  std::stable_sort(designs.begin(), designs.end(),
                   [&](const SweepDesign& a, const SweepDesign& b) { return is_more ? a.mean > b.mean : a.mean < b.mean; });
  return designs;
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

/// "2", or "2 on average over 3 seeds (1.9 to 2.2)".
std::string design_text(const SweepTable& table, const SweepDesign& design) {
  if (!has_seeds(table)) return number_text(design.mean);
  return fmt::format("{} on average over {} seeds ({} to {})", number_text(design.mean), design.points.size(),
                     number_text(design.least), number_text(design.most));
}

std::string best_sentence(const SweepTable& table, std::size_t figure) {
  const std::vector<SweepDesign> ranked = ranked_designs(table, figure);
  const SweepDesign &best = ranked.front(), &worst = ranked.back();
  const std::string& name = table.figures[figure];
  const std::string at_best = point_text(table, best.points.front()), at_worst = point_text(table, worst.points.front());
  if (has_seeds(table))
    return fmt::format("{} is best with {}: {}. It is worst with {}: {}.", name, at_best, design_text(table, best), at_worst,
                       design_text(table, worst));
  return fmt::format("{} is best at point {} ({}): {}. It is worst at point {}: {}.", name, best.points.front(), at_best,
                     design_text(table, best), worst.points.front(), design_text(table, worst));
}

/// Of a design's points, as far as they have the figure.
double mean_figure(const SweepTable& table, const SweepDesign& design, std::size_t figure) {
  double sum = 0, count = 0;
  for (const std::size_t p : design.points)
    if (const double value = table.rows[p].values[figure]; !std::isnan(value)) sum += value, count++;
  return count > 0 ? sum / count : SweepRow::none();
}

/// A row for each design: its point or how many seeds it has, its values, and figures; of the one that ranks, how far seeds
/// lie apart.
TextTable best_table(const SweepTable& table, std::size_t figure) {
  const bool is_joined = has_seeds(table);
  TextTable out;
  const auto add_column = [&](const std::string& name) { out.header.push_back(name), out.align.push_back(Align::right); };
  add_column(is_joined ? "seeds" : "point");
  for (const std::string& axis : table.axes)
    if (!is_joined || axis != kSeedAxis) add_column(axis);
  for (std::size_t f = 0; f < table.figures.size(); f++) {
    add_column(table.figures[f]);
    if (is_joined && f == figure) add_column("least"), add_column("most");
  }
  std::vector<SweepDesign> ranked = ranked_designs(table, figure);
  ranked.resize(std::min(ranked.size(), kMostListed));
  for (const SweepDesign& design : ranked) {
    const std::size_t first = design.points.front();
    std::vector<std::string>& row = out.rows.emplace_back(1, std::to_string(is_joined ? design.points.size() : first));
    for (std::size_t a = 0; a < table.axes.size(); a++)
      if (!is_joined || table.axes[a] != kSeedAxis) row.push_back(sweep_value_text(table.points[first][a]));
    for (std::size_t f = 0; f < table.figures.size(); f++) {
      row.push_back(number_text(mean_figure(table, design, f)));
      if (is_joined && f == figure) row.insert(row.end(), {number_text(design.least), number_text(design.most)});
    }
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
  const std::vector<std::vector<double>> means = mean_of_pairs(table, figure, down, across);
  double least = INFINITY, most = -INFINITY;
  for (const std::vector<double>& line : means)
    for (const double mean : line)
      if (!std::isnan(mean)) least = std::min(least, mean), most = std::max(most, mean);
  constexpr const char* kShades[] = {" ", "░", "▒", "▓", "█"};
  TextTable out;
  out.header = {fmt::format("{} \\ {}", down.axis, across.axis)}, out.align = {Align::right};
  for (const AxisResponse::Value& column : across.values) out.header.push_back(column.text), out.align.push_back(Align::right);
  for (std::size_t i = 0; i < means.size(); i++) {
    std::vector<std::string>& row = out.rows.emplace_back(1, down.values[i].text);
    for (const double mean : means[i]) {
      if (std::isnan(mean)) {
        row.emplace_back("–");
        continue;
      }
      const auto shade = most > least ? static_cast<std::size_t>((mean - least) / (most - least) * 4.0 + 0.5) : 0;
      row.push_back(fmt::format("{} {}", number_text(mean), kShades[std::min<std::size_t>(shade, 4)]));
    }
  }
  return out;
}

std::string map_title(const std::string& figure, const std::vector<AxisResponse>& responses) {
  return fmt::format("{} by {} and {}", figure, responses[0].axis, responses[1].axis);
}

/// Seeds are the last of all axes: they matter nothing to a design.
bool has_map(const std::vector<AxisResponse>& responses) { return responses.size() >= 2 && responses[1].axis != kSeedAxis; }

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

Report sweep_report(const SweepTable& table, std::optional<std::size_t> figure) {
  Report report{table.title, {}};
  std::string answer = counts_sentence(table);
  if (figure) answer += " " + best_sentence(table, *figure);
  report.sections.push_back({"", {answer}});
  if (!figure) return report;
  const std::string& name = table.figures[*figure];
  report.sections.push_back(
      {has_seeds(table) ? fmt::format("The best designs by {}, means over seeds", name) : "The best points by " + name,
       {best_table(table, *figure)}});
  const std::vector<AxisResponse> responses = axis_responses(table, *figure);
  if (has_map(responses))
    report.sections.push_back({map_title(name, responses),
                               {std::string("Means over all other axes; the darker, the higher."),
                                heat_table(table, *figure, responses[0], responses[1])}});
  for (const AxisResponse& response : responses)
    report.sections.push_back({fmt::format("{} by {}", name, response.axis), {response_table(response)}});
  return report;
}

PageDrawings sweep_drawings(const SweepTable& table, std::optional<std::size_t> figure) {
  PageDrawings out;
  if (!figure) return out;
  const std::string& name = table.figures[*figure];
  const std::vector<AxisResponse> responses = axis_responses(table, *figure);
  for (const AxisResponse& response : responses) {
    PageCurve& curve = out.curves.emplace_back(PageCurve{
        fmt::format("{} by {}", name, response.axis), response.axis, response.unit, name, name_of(response.scale), {}});
    for (const AxisResponse::Value& value : response.values)
      curve.points.push_back(
          {value.text, value.at, value.mean, value.least, value.most, number_text(value.mean), value.points});
  }
  if (!has_map(responses)) return out;
  PageMap& map = out.map.emplace(PageMap{map_title(name, responses), name, responses[0].axis, responses[1].axis, {}, {}, {}});
  for (const AxisResponse::Value& value : responses[0].values) map.rows.push_back(value.text);
  for (const AxisResponse::Value& value : responses[1].values) map.columns.push_back(value.text);
  for (const std::vector<double>& line : mean_of_pairs(table, *figure, responses[0], responses[1])) {
    std::vector<PageMap::Cell>& cells = map.cells.emplace_back();
    for (const double mean : line) cells.push_back({mean, number_text(mean)});
  }
  return out;
}

}  // namespace railyard
