// How far the traffic of a job's groups goes through its fabric, given who sits where.
#pragma once

#include <array>

#include "fabric/fabric.h"
#include "fabric/placement.h"
#include "workload/step.h"

namespace railyard {

/// Shares of the traffic between scale-up domains that stays under one leaf, inside one pod, or goes further. All zero where
/// nothing leaves a domain.
struct Reach {
  double leaf = 0, pod = 0, across = 0;
  double domain = 0;  // messages that stay inside a domain, over all
};

/// Of one kind of group: of a ring over its members in order, and of all pairs.
struct GroupReach {
  Reach ring, pairs;
};

/// Over all groups of each kind. Groups of more than some hundred members are represented by those of their pairs that lie
/// evenly apart. REQUIRES: a seat for every rank.
std::array<GroupReach, kGroupKinds> reach_of_groups(const Step& step, const Fabric& fabric, const Placement& placement);

/// Bytes per second that a fabric has for each GPU, tier by tier: NICs, uplinks of leaves, what joins pods. 0: it has no such
/// tier, or a drawing does not tell.
struct TierRates {
  double nic = 0, leaf_up = 0, pod_up = 0;
};
TierRates rates_per_gpu(const Fabric& fabric);

}  // namespace railyard
