// The page of a command that has a report and no page of its own: its sentences and tables as they are printed, and bars.
#pragma once

#include <string>
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

/// The data of a page (docs/results.md, the page). The first paragraph of the report is its answer.
Document report_page(const std::string& version, const std::string& command, const Report& report,
                     const std::vector<PageBars>& bars);

}  // namespace railyard
