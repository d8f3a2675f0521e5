// Ranks that failures leave unreachable.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "fabric/failures.h"
#include "fabric/live.h"
#include "fabric/placement.h"
#include "plan/given_keys.h"

namespace railyard {

/// Those of `changes` that hold from the beginning and never end.
std::vector<PortChange> lasting(std::span<const PortChange> changes);

/// The ports that are left once all `changes` have happened.
LivePorts live_after(const Fabric& fabric, std::span<const PortChange> changes);

/// Who sends to whom.
using EndpointPair = std::pair<EndpointId, EndpointId>;

/// An error for the first of `pairs` that cannot reach each other, with what separates them and how many more there are. Empty
/// if all can.
Diagnostics unreachable_pairs(const GivenKeys& keys, const Fabric& fabric, const LivePorts& live,
                              std::span<const EndpointPair> pairs);

/// A trunk beside a switch that reduces, and the GPU at its lower end if it is one's.
using SwitchEdge = std::pair<TrunkId, EndpointId>;

/// An error for the first of `edges` that nothing passes.
Diagnostics dead_edges(const GivenKeys& keys, const Fabric& fabric, const LivePorts& live, std::span<const SwitchEdge> edges);

/// Where some rank cannot reach the next one: an error for every cause, up to a handful, with all ranks that it cuts off.
Diagnostics isolated_ranks(const GivenKeys& keys, const Fabric& fabric, const LivePorts& live, const Placement& placement);

}  // namespace railyard
