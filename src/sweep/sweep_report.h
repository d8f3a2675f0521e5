// What a sweep says: how many points were run, which is best, and how a figure answers to each axis and to two at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/report_page.h"
#include "sweep/table.h"

namespace railyard {

/// The column to show: what was asked for (RY-SWP-016 where there is none of that name), time_s, or the first there is.
Result<std::size_t> shown_figure(const SweepTable& table, const std::string& asked);

/// For the terminal and for a page. `figure`: a column; nothing where no point has any.
Report sweep_report(const SweepTable& table, std::optional<std::size_t> figure);

/// The same as pictures of a page: a curve for each axis, and a map of the two that matter most.
PageDrawings sweep_drawings(const SweepTable& table, std::optional<std::size_t> figure);

}  // namespace railyard
