// For every rule a mistake made in a clean estate, for tests.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "qos/device.h"

namespace railyard {

struct LintSeed {
  std::string_view code;
  std::function<void(Estate&)> make;
};

[[nodiscard]] std::vector<LintSeed> switch_seeds();
[[nodiscard]] std::vector<LintSeed> host_seeds();

}  // namespace railyard
