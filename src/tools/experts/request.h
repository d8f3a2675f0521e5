// What may be asked about an exchange of experts; whatever is left out comes from the scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace railyard {

struct ExpertsRequest {
  std::vector<std::uint32_t> ranks = {};  // sizes of the group; none: the usual ones that the cluster has
  std::optional<std::uint32_t> tokens = {}, hidden = {}, experts = {}, top_k = {}, node_limit = {};
  bool low_latency = false, bf16_dispatch = false;
};

}  // namespace railyard
