// One drawn run as a picture.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "tools/goodput/goodput.h"

namespace railyard {

/// Of each `cell` seconds of the run, the share in which it trained for good.
std::vector<double> productive_shares(const Goodput& goodput, double cell);

/// A row for every week, a character for every two hours; of long runs the first weeks.
TextTable timeline_table(const Goodput& goodput);

/// The same with every interruption and what it consists of.
std::string timeline_svg(const Goodput& goodput);

}  // namespace railyard
