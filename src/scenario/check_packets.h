// Mistakes in what queues, switches and NICs are set to.
#pragma once

#include "base/complaints.h"
#include "scenario/scenario.h"

namespace railyard {

/// Reports keys of [transport] and [fabric] that cannot be meant together, whatever engine is asked for.
void check_packets(const Scenario& scenario, Complaints& complaints);

/// Reports what shows only once scenario.packet is settled.
void check_packet_plan(const Scenario& scenario, Complaints& complaints);

/// What headroom and reserve of all ports of one switch take, as far as the number of ports is known; a fabric's ports are
/// counted when it is built.
[[nodiscard]] Bytes set_aside(const Scenario& scenario);

}  // namespace railyard
