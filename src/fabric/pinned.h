// The one path to a destination when switches neither hash nor look: static routing by destination (d-mod-k).
#pragma once

#include <cstdint>

#include "fabric/fabric.h"

namespace railyard {

/// Which of `choices` equal ports at `at` all packets to `to` take. With d the destination's number in the order of leaves
/// (Fabric::nth), p ports of a NIC, and u_i uplinks of every switch at tier i of the destination's side:
///
///   NIC          d mod p
///   tier i       d / (p u_0 … u_(i-1)) mod u_i, and mod the parallel links on the way down to that tier
///
/// Where a leaf has as many uplinks as downlinks, or fewer that divide them, its choice is the index of the destination's
/// downlink at its own leaf, and consecutive destinations take different ports at every tier. A drawing has no tiers: there it
/// is the destination's number mod `choices` at every node. REQUIRES: choices > 0.
std::uint32_t pinned_choice(const Fabric& fabric, NodeId at, EndpointId to, std::uint32_t choices);

}  // namespace railyard
