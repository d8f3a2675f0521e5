#include "base/check.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace railyard {

void check_failed(std::string_view condition, std::string_view expectation, std::string_view file, int line) {
  fmt::print(stderr, "railyard: internal error: expected that {}, but `{}` does not hold ({}:{}).\n", expectation, condition,
             file, line);
  fmt::print(stderr, "This is a defect of Railyard, not of your input. Please report it with the scenario that led here.\n");
  std::fflush(nullptr);
  std::abort();
}

}  // namespace railyard
