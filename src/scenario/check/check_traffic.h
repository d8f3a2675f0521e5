// Mistakes of [traffic].
#pragma once

#include "base/complaints.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Reports everything in [traffic] that cannot be meant. REQUIRES: scenario.traffic.
void check_traffic(const ScenarioSpec& scenario, Complaints& complaints);

}  // namespace railyard
