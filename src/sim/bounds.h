// Physical limits that no result may beat.
#pragma once

#include "base/units.h"
#include "collective/schedule.h"
#include "fabric/fabric.h"
#include "fabric/placement.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// A lower bound on time and the trunk that sets it.
struct Bound {
  Picoseconds time;
  TrunkId at;
};

/// No all-reduce of `size` per rank without in-network reduction is faster: all ranks together send 2 (n-1) buffers over their
/// links, every leaf that holds some but not all ranks lets one buffer out and one in, and the last byte then takes at least
/// the shortest way there is. Payload only: headers come on top.
Bound all_reduce_bound(const Fabric& fabric, const Placement& placement, Bytes size);

/// Stops the program unless the run kept to physics: not faster than its bound, no trunk above its rate, no byte lost or made.
void check_physics(const Fabric& fabric, const Schedule& schedule, Bytes size, Picoseconds time, const Bound& bound,
                   const Telemetry& telemetry);

}  // namespace railyard
