// Mistakes in what queues, switches and NICs are set to that show only once every figure is resolved.
#pragma once

#include "base/complaints.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

void check_packet_plan(const ScenarioSpec& spec, const Scenario& out, Complaints& complaints);

/// What headroom and reserve of all ports of one switch take, as far as the number of ports is known; a fabric's ports are
/// counted when it is built. REQUIRES: headroom and reserve in out.packet are resolved.
[[nodiscard]] Bytes set_aside(const Scenario& out);

}  // namespace railyard
