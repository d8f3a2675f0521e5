// What `railyard goodput` is asked beside its scenario.
#pragma once

#include <cstdint>
#include <optional>

namespace railyard {

struct GoodputRequest {
  std::uint32_t runs = 2'000;  // drawn
  std::optional<double> days;  // what that long yields, instead of how long training.tokens take
};

}  // namespace railyard
