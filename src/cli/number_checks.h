// Checks of numbers on the command line: "nan" is none, and limits are said in words.
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace railyard {

/// From `least` to `most`.
inline CLI::Validator number_from(double least, double most) {
  const std::string range = fmt::format("{:g} to {:g}", least, most);
  return CLI::Validator(
      [=](std::string& text) {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
        return is_number && value >= least && value <= most ? std::string() : fmt::format("{} is not in {}", text, range);
      },
      "FLOAT in " + range);
}

/// Above 0, and finite.
inline CLI::Validator number_above_0() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
        return is_number && value > 0 ? std::string() : fmt::format("{} is not a number above 0", text);
      },
      "above 0");
}

}  // namespace railyard
