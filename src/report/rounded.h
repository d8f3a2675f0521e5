// Numbers with as many significant digits as a reader can use.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "base/document.h"

namespace railyard {

inline double to_digits(double value, int digits) {
  return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}
inline double four_digits(double value) { return to_digits(value, 4); }
inline double six_digits(double value) { return to_digits(value, 6); }
inline Document rounded(double value, int digits = 4) { return Document(to_digits(value, digits)); }

inline Document rounded_numbers(const std::vector<double>& values) {
  Document out = Document::array();
  for (const double value : values) out.push(rounded(value));
  return out;
}

}  // namespace railyard
