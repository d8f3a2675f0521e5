// The page of a command that has a report and no page of its own: its sentences and tables as they are printed, and bars.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// A row of bars: what each is, how long, and the value as it is printed.
struct PageBars {
  struct Bar {
    std::string label;
    double value = 0;
    std::string text;
    bool is_marked = false;  // what there is today, or what was chosen
  };
  std::string title, unit;
  std::vector<Bar> bars;
};

/// A figure over something that was varied: means as a line, and from the least to the most around it.
struct PageCurve {
  struct Point {
    std::string label;
    double at = 0;  // unless the scale is one of names
    double mean = 0, least = 0, most = 0;
    std::string text;  // the mean as it is printed
    std::size_t count = 0;
  };
  std::string title, axis, unit, figure;
  std::string_view scale;  // names, linear or log
  std::vector<Point> points;
};

/// A figure over two things that were varied.
struct PageMap {
  struct Cell {
    double value = 0;  // not a number where there is none
    std::string text;
  };
  std::string title, figure, down, across;
  std::vector<std::string> rows, columns;
  std::vector<std::vector<Cell>> cells;
};

/// What a page draws above what it prints.
struct PageDrawings {
  PageDrawings() = default;
  PageDrawings(std::vector<PageBars> only) : bars(std::move(only)) {}

  std::vector<PageBars> bars = {};
  std::vector<PageCurve> curves = {};
  std::optional<PageMap> map = {};
};

/// The data of a page (docs/results.md, the page). The first paragraph of the report is its answer.
Document report_page(const std::string& version, const std::string& command, const Report& report,
                     const PageDrawings& drawings);

}  // namespace railyard
