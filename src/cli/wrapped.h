// Text that fits a terminal: help and messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace railyard {

/// Every line of `text` that is longer than `width`, broken at blanks. What follows stands below the last of its columns (as a
/// description below its option's), else `hang` to the right of where the line began. Words that are longer stay whole.
std::string wrapped(std::string_view text, std::size_t width, std::size_t hang);

}  // namespace railyard
