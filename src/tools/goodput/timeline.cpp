#include "tools/goodput/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/sparkline.h"

namespace railyard {

namespace {

constexpr double kLeft = 80;  // of the picture, where weeks begin
constexpr std::size_t kCellsOfWeek = 84, kMostWeeks = 26;

/// A part of a run in which nothing was gained, and why.
struct Gap {
  double from = 0, to = 0;
  const char* style = "";
};

/// In order, from the work that is lost to the first step that is not.
std::vector<Gap> gaps_of(const Interruption& one) {
  std::vector<Gap> gaps;
  double at = one.at - one.lost;
  const auto add = [&](double length, const char* style) {
    if (length > 0) gaps.push_back({at, at + length, style});
    at += length;
  };
  add(one.lost, "l");
  add(one.detection, "d");
  add(one.waiting, "w");
  add(one.restart, "r");
  return gaps;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

/// What of a gap lies in each week, as boxes.
void add_boxes(const Gap& gap, const std::string& title, double scale, double row, double top, std::string& out) {
  for (double from = std::max(0.0, gap.from); from < gap.to;) {
    const double week = std::floor(from / kWeekSeconds), to = std::min(gap.to, (week + 1) * kWeekSeconds);
    out += fmt::format(
        "<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\"><title>{}</title></rect>\n", gap.style,
        kLeft + (from - week * kWeekSeconds) * scale, top + week * row, std::max(0.4, (to - from) * scale), row - 6, title);
    from = to;
  }
}

std::string legend(double y) {
  std::string out;
  double x = kLeft;
  for (const auto& [style, words] : {std::pair("t", "training"), std::pair("l", "work done again"), std::pair("d", "detection"),
                                     std::pair("w", "waiting for a spare"), std::pair("r", "restart and load")}) {
    out += fmt::format(
        "<rect class=\"{}\" x=\"{:.0f}\" y=\"{:.0f}\" width=\"14\" height=\"14\"/>\n"
        "<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n",
        style, x, y, x + 20, y + 12, words);
    x += 175;
  }
  return out;
}

}  // namespace

std::vector<double> productive_shares(const Goodput& goodput, double cell) {
  const double end = goodput.one_s;
  std::vector<double> shares(static_cast<std::size_t>(std::ceil(end / cell)), 1.0);
  for (const Interruption& one : goodput.one)
    for (const Gap& gap : gaps_of(one))
      for (double from = std::max(0.0, gap.from); from < std::min(gap.to, end);) {
        const auto index = static_cast<std::size_t>(from / cell);
        const double to = std::min({gap.to, static_cast<double>(index + 1) * cell, end});
        if (to <= from || index >= shares.size()) break;
        shares[index] = std::max(0.0, shares[index] - (to - from) / cell);
        from = to;
      }
  return shares;
}

TextTable timeline_table(const Goodput& goodput) {
  const std::vector<double> shares = productive_shares(goodput, kWeekSeconds / kCellsOfWeek);
  TextTable table{{"week", "seven days, two hours a sign"}, {Align::right}, {}};
  for (std::size_t week = 0; week * kCellsOfWeek < shares.size() && week < kMostWeeks; week++) {
    const auto begin = shares.begin() + static_cast<std::ptrdiff_t>(week * kCellsOfWeek);
    const auto end = shares.begin() + static_cast<std::ptrdiff_t>(std::min(shares.size(), (week + 1) * kCellsOfWeek));
    const std::vector<double> row(begin, end);
    table.rows.push_back({std::to_string(week + 1), sparkline(row, row.size())});
  }
  return table;
}

std::string timeline_svg(const Goodput& goodput) {
  constexpr double kRow = 30, kTop = 60, kWidth = 1120, kScale = (kWidth - kLeft - 20) / kWeekSeconds;
  const double weeks = std::ceil(goodput.one_s / kWeekSeconds), height = kTop + weeks * kRow + 50;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\">\n<title>{}</title>\n"
      "<style>text{{font:13px sans-serif;fill:#222}}.h{{font-size:17px}}.t{{fill:#b7dcc0}}.l{{fill:#e69f00}}.d{{fill:#cc3311}}"
      ".w{{fill:#7b3fa0}}.r{{fill:#2b6cb0}}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text class=\"h\" x=\"16\" y=\"30\">{}: one drawn run, {:.1f} days, {} interruptions</text>\n",
      kWidth, height, escaped(goodput.name), escaped(goodput.name), goodput.one_s / (kDaySeconds), goodput.one.size());
  for (double week = 0; week < weeks; week++)
    out += fmt::format(
        "<text x=\"16\" y=\"{:.0f}\">week {:.0f}</text>\n<rect class=\"t\" x=\"80\" y=\"{:.0f}\" width=\"{:.2f}\" "
        "height=\"{:.0f}\"/>\n",
        kTop + week * kRow + 17, week + 1, kTop + week * kRow,
        (std::min(goodput.one_s, (week + 1) * kWeekSeconds) - week * kWeekSeconds) * kScale, kRow - 6);
  for (const Interruption& one : goodput.one) {
    const std::string title = fmt::format("day {:.2f}: {}, {:.0f} min", one.at / (kDaySeconds), goodput.cause_name(one.cause),
                                          (one.lost + one.detection + one.waiting + one.restart) / 60);
    for (const Gap& gap : gaps_of(one)) add_boxes(gap, title, kScale, kRow, kTop, out);
  }
  return out + legend(kTop + weeks * kRow + 14) + "</svg>\n";
}

}  // namespace railyard
