// Groups of a training step whose switches add up: the trees of the network that their collectives go through.
#pragma once

#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "fabric/placement.h"
#include "plan/scenario.h"
#include "workload/step.h"

namespace railyard {

/// What collectives put on the links of their trees, shares by the whole buffer.
struct SwitchTrees {
  std::vector<Hop> hops;
  std::vector<std::uint32_t> flow_ends;  // past the last hop of each tree
  Picoseconds latency;                   // from a member through the root to another, the longest
};

/// Adds one group, given its members by scale-up domain: of every domain as many as the smallest has send a part of the buffer
/// each, over trees of their own. A switch hands on what comes from below once, as a sum, and what comes from above to all that
/// want it:
///
///     all-reduce       up 1            down 1
///     reduce-scatter   up 1            down k/m        of a part, at a link with k of the tree's m members below it
///     all-gather       up k/m          down (m - k)/m
///
/// `here`: by endpoint; members elsewhere belong to another stage, and so does their part. False if some tree has no root.
bool add_trees(const Fabric& fabric, const std::vector<std::vector<EndpointId>>& nodes, CollectiveKind kind,
               const std::vector<bool>& here, SwitchTrees& trees);

/// An error if switches are to add up for a group, and none is above all of its members.
Diagnostics rootless_groups(const Scenario& scenario, const Step& step, const Fabric& fabric, const Placement& placement);

}  // namespace railyard
