// Invariants that hold in every build. A broken one stops the program and says what was expected.
#pragma once

#include <string_view>

namespace railyard {

/// Prints the broken expectation with its place on stderr and aborts.
[[noreturn]] void check_failed(std::string_view condition, std::string_view expectation, std::string_view file, int line);

}  // namespace railyard

/// `expectation` is the sentence that should have been true: RY_CHECK(rate > zero, "a link has a rate").
#define RY_CHECK(condition, expectation)                                     \
  do {                                                                       \
    if (!(condition)) [[unlikely]]                                           \
      ::railyard::check_failed(#condition, expectation, __FILE__, __LINE__); \
  } while (false)
