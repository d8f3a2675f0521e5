// From the rows of a Net to what people read: counters by port and switch, and why nothing moves any more.
#pragma once

#include "engine/packet/failover.h"
#include "engine/packet/lookahead_scheduler.h"
#include "engine/packet/network.h"
#include "telemetry/telemetry.h"

namespace railyard::packet {

/// Adds what ports, switches and NICs counted until `end`.
void observe(const Network& network, const Fabric& fabric, LookaheadScheduler& windows, Picoseconds end, Telemetry& telemetry);

/// Looks for ports that wait for each other in a circle; or, if there is none, for a port that waits without end.
void find_deadlock(const Network& network, Picoseconds at, PacketRecord& record);

/// Who noticed that links and hosts have failed, and when.
void observe_failures(const Network& network, const Fabric& fabric, const PacketPlan& plan, const Failover& failover,
                      const std::vector<Timeout>& timeouts, PacketRecord& record);

}  // namespace railyard::packet
