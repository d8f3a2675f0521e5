// A ratio as people write it: 2, or "2:1".
#pragma once

#include <compare>

namespace railyard {

/// How much of one there is for one of the other: 2 for "2:1".
struct Ratio {
  double value = 1;
  auto operator<=>(const Ratio&) const = default;
};

}  // namespace railyard
