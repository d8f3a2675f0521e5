// Figures of results as people read them. Every report writes them alike.
#pragma once

#include <string>
#include <vector>

#include "base/document.h"

namespace railyard {

/// "12.3 %".
std::string percent(double share);

/// "4.587 s", to the nearest picosecond.
std::string time_text(double seconds);

/// The same, rounded up as times of simulations are; "–" for none.
std::string seconds_or_dash(double seconds);

/// "88.65 µs"; "–" for none.
std::string microseconds_or_dash(double us);

/// "400 Gb/s".
std::string gbps_text(double gbps);

/// A list of plain numbers.
Document numbers(const std::vector<double>& values);

}  // namespace railyard
