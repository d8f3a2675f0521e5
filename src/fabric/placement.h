// Which NIC each rank speaks through.
#pragma once

#include <cstdint>

#include "base/id.h"
#include "fabric/fabric.h"

namespace railyard {

using Placement = Table<RankId, EndpointId>;

/// Deals `ranks` ranks to endpoints: in order; round-robin over leaves, so that neighbours sit under different leaves;
/// or at random, by `seed`. REQUIRES: ranks <= endpoints; the policy is one of these three.
Placement place(PlacementPolicy policy, std::uint32_t ranks, const Fabric& fabric, std::uint64_t seed);

}  // namespace railyard
