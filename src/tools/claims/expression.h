// Arithmetic over named numbers: what turns values of runs into the figure that a claim is about.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace railyard {

using NamedNumber = std::pair<std::string, double>;

/// The value of `text`, or what is wrong with it. Knows numbers, names, + - * / ^, parentheses, min, max, sqrt and ceil.
/// ^ binds tightest and to the right; what is not a finite number is wrong.
tl::expected<double, std::string> evaluate(std::string_view text, std::span<const NamedNumber> names);

}  // namespace railyard
