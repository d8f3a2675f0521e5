// What `railyard goodput` is asked beside its scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace railyard {

struct GoodputRequest {
  std::uint32_t runs = 2'000;  // drawn
  std::optional<double> days;  // what that long yields, instead of how long training.tokens take
  std::string journal = {};    // a file that keeps what was drawn, to go on from
};

}  // namespace railyard
