// How much a number can be trusted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/choice.h"

namespace railyard {

/// Best first. `given` is the user's own word, in a scenario.
enum class Status : std::uint8_t { given, measured, published, estimated, assumed };

template<>
struct ChoiceNames<Status> {
  static constexpr std::string_view names[] = {"given", "measured", "published", "estimated", "assumed"};
};

/// One number's origin.
struct Origin {
  Status status = Status::assumed;
  std::string source;
};

}  // namespace railyard
