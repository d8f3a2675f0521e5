// Units of ranks dealt to parts of a cluster so that little crosses: graph partitioning by METIS.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/place/link_cost.h"

namespace railyard {

/// Units on the servers given, one each: blocks of switches are split from the top of the tree down, each time among blocks
/// that hold as many of the servers. Same input, same output; not for several threads at a time, since METIS draws from a
/// stream that a process has one of. REQUIRES: as many servers as units, in ascending order.
std::vector<std::uint32_t> partition_units(const UnitGraph& graph, const KindWeights& weights, const ServerTree& tree,
                                           const std::vector<std::uint32_t>& servers);

}  // namespace railyard
