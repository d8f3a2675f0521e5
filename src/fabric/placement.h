// Which GPU each rank computes on.
#pragma once

#include <cstdint>

#include "base/id.h"
#include "base/result.h"
#include "fabric/fabric.h"
#include "plan/given_keys.h"
#include "plan/placement_plan.h"

namespace railyard {

using Placement = Table<RankId, EndpointId>;

/// Deals `ranks` ranks to GPUs. Servers are dealt whole:
///   in-order      one after the other
///   round-robin   the first of every leaf, then the second of every leaf, …
///   random        in random order, by the seed
///   along-rails   along one rail, then the next: the first GPU of every server, then the second of every server, … The
///                 others are aligned with rails already: the ranks of a server are its GPUs in order, so that those of groups
///                 with one rank per server share a rail. This one tears groups apart that belong in one server.
///   fragmented    in order, over servers that a busy cluster happens to have free: as many as are needed, by the seed
///   file          as the rank file says
/// Servers that other jobs have (`taken_servers`) are left out, but for rank files. Ranks of `lost_servers` then sit on spares:
/// the last servers that have no rank. Refuses servers that are not there or have no spare, a rank file that is too short, and
/// one that names GPUs that are not there. REQUIRES: ranks <= the endpoints of servers that are free.
Result<Placement> place(const PlacementPlan& plan, std::uint32_t ranks, const Fabric& fabric, const GivenKeys& keys);

}  // namespace railyard
