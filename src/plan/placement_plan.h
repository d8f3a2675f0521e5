// Which GPU each rank gets.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/choices.h"

namespace railyard {

struct PlacementPlan {
  PlacementPolicy policy = PlacementPolicy::in_order;
  std::vector<std::uint32_t> seats;  // of policy = "file": the GPU of every rank
  std::uint64_t seed = 1;
  std::vector<std::uint32_t> lost_servers = {};   // servers that are out: spares have their ranks
  std::vector<std::uint32_t> taken_servers = {};  // that other jobs have
};

}  // namespace railyard
