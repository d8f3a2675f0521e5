// A group of ranks as collectives see it: which of its members are near each other, and which switches lie above them.
#pragma once

#include <vector>

#include "collective/lower.h"
#include "fabric/fabric.h"
#include "fabric/placement.h"

namespace railyard {

/// The group's shape and where its positions sit.
struct SeatedGroup {
  Shape shape;
  std::vector<EndpointId> seats;
  std::vector<TrunkId> up, down;  // of every position and every reducing switch: the trunks to and from its parent
};

/// Seats position i where rank i sits. Positions that follow each other share a domain as far as all domains have as many.
SeatedGroup seat_group(const Fabric& fabric, const Placement& placement);

/// Adds the switches above the group as a tree that reduces: every block of switches on the way to the first one that all have
/// in common. False if there is none, or if a drawn fabric does not tell.
bool add_reduction_tree(const Fabric& fabric, SeatedGroup& group);

/// The same for the scale-up switches of the group's domains, which NVLS uses: trunks only, the schedule knows its tree.
void add_domain_switches(const Fabric& fabric, const Schedule& schedule, SeatedGroup& group);

/// The members of each scale-up domain, in order; single members where there are no domains.
std::vector<std::vector<EndpointId>> nodes_of(const Fabric& fabric, const Placement& placement);

}  // namespace railyard
