// Spans of weeks for people.
#pragma once

#include <string>

namespace railyard {

/// "17 min", "3.1 h", "2.8 s"; a dash for nothing.
std::string span_text(double seconds);

/// As a scenario takes it, to the second where it is longer than one: "252 s", "1.5 h".
std::string span_setting(double seconds);

}  // namespace railyard
