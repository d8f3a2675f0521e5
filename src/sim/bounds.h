// Physical limits that no result may beat.
#pragma once

#include <vector>

#include "base/units.h"
#include "collective/limits.h"
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

/// What separates some ranks of a group from the others, and what it lets through in each direction.
struct Cut {
  std::uint32_t inside = 0;  // ranks
  bool root_inside = false;
  double rate = 0;  // bits per second
  TrunkId trunk;
};

/// Everything about a seated group that bounds its collectives, whichever and of whatever size.
struct GroupLimits {
  std::uint32_t ranks = 0;
  double sending_rate = 0;    // of all ranks together, over all links they have, in bits per second
  TrunkId first;              // one of those
  std::uint32_t domains = 1;  // scale-up domains, if they have as many ranks each; else 1
  double domain_rate = 0;     // of all their NICs together
  std::vector<Cut> cuts;      // scale-up domains by their NICs, blocks of switches by their uplinks
  Picoseconds latency;        // of the shortest way between two ranks
};
GroupLimits limits_of(const Fabric& fabric, const Placement& placement);

/// No collective of `size` is faster, whatever the algorithm: all ranks together send what they must, every cut lets through
/// what it must, and the last byte then takes at least the shortest way there is. Payload only: headers come on top. `help` may
/// be that of scale-up switches alone; `in_network`: those of the fabric help, too.
Bound collective_bound(const GroupLimits& limits, CollectiveKind kind, Bytes size, SwitchHelp help, bool in_network);

/// Stops the program if a trunk or a port carried more until `end` than its rate allows.
void check_carried(const Fabric& fabric, Picoseconds end, const Telemetry& telemetry);

/// Stops the program unless the run kept to physics: not faster than its bound, nothing above its rate.
void check_rates(const Fabric& fabric, Picoseconds time, const Bound& bound, const Telemetry& telemetry);

/// Stops the program if a byte or a message of the schedule was lost or made.
void check_delivery(const Schedule& schedule, const Telemetry& telemetry);

}  // namespace railyard
