// Numbers as text of nine digits, many of them quickly.
#pragma once

#include <string>

namespace railyard {

/// Appends what printf("%.9g") prints, to the digit.
void append_nine_digits(std::string& out, double value);

}  // namespace railyard
