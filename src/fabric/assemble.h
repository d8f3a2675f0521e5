// From counts to a fabric: nodes, trunks and ports in the order that routing relies on (fabric.cpp).
#pragma once

#include "fabric/fabric.h"
#include "fabric/wiring.h"

namespace railyard {

Fabric assemble(const FabricPlan& plan, const Wiring& wiring);
Fabric assemble(const FabricPlan& plan, const Islands& islands);

/// Joins the pods of an optical fabric: `per_switch[a][b]` circuits from each spine of pod a to its counterpart in pod b.
/// Replaces the circuits there were. REQUIRES: symmetric, as many rows as pods, and every pod reaches every other.
void set_circuits(Fabric& fabric, const std::vector<std::vector<std::uint32_t>>& per_switch, BitsPerSecond rate,
                  Picoseconds delay, Picoseconds cable);

/// The same for circuits that change: as many ports as any way lights. REQUIRES: as above, for either matching and for what
/// they have in common.
void set_changing_circuits(Fabric& fabric, const std::vector<std::vector<std::uint32_t>>& passes,
                           const std::vector<std::vector<std::uint32_t>>& gradients, BitsPerSecond rate, Picoseconds delay,
                           Picoseconds cable);

/// The builder of all fabrics: appends a trunk of `count` ports; the caller pushes their ends in the same order.
/// `cable` is the part of `delay` that light needs.
TrunkId add_trunk(Fabric& fabric, Tier tier, std::uint32_t count, BitsPerSecond rate, Picoseconds delay,
                  Picoseconds cable = {});
void add_port(Fabric& fabric, TrunkId trunk, NodeId from, NodeId to);

}  // namespace railyard
