// What a sweep says: how many points were run, which is best, and how a figure answers to each axis and to two at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/report_page.h"
#include "sweep/table.h"

namespace railyard {

/// A figure by the values of one axis, over all other axes.
struct AxisResponse {
  struct Value {
    std::string text;
    std::size_t points = 0;  // that have the figure
    double mean = 0, least = 0, most = 0;
  };
  std::string axis;
  std::vector<Value> values;  // in the order of the axis
  double effect = 0;          // how far means lie apart, over the mean of all
};

/// The column to show: what was asked for (RY-SWP-016 where there is none of that name), time_s, or the first there is.
Result<std::size_t> shown_figure(const SweepTable& table, const std::string& asked);

/// Of axes with two values or more, but not of those with very many; the one with the largest effect first.
std::vector<AxisResponse> axis_responses(const SweepTable& table, std::size_t figure);

/// For the terminal and for a page. `figure`: a column; nothing where no point has any.
Report sweep_report(const SweepTable& table, std::optional<std::size_t> figure);

/// The curves of it, as bars of a page.
std::vector<PageBars> sweep_bars(const SweepTable& table, std::optional<std::size_t> figure);

}  // namespace railyard
