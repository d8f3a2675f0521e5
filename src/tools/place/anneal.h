// A placement made better by moving and swapping units, as the closed form of links judges it.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/place/link_cost.h"

namespace railyard {

/// Threshold accepting (Dueck and Scheuer 1990): a random move is taken unless it makes things worse by more than a threshold
/// that shrinks to nothing; the best placement on the way is kept. Draws depend on `seed` alone. REQUIRES: `seats` are servers
/// of `free`, every one once.
std::vector<std::uint32_t> anneal(const UnitGraph& graph, const KindWeights& weights, const ServerTree& tree,
                                  const std::vector<std::uint32_t>& free, const std::vector<std::uint32_t>& seats,
                                  std::uint64_t seed);

}  // namespace railyard
