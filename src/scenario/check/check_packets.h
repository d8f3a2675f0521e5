// Mistakes in what queues, switches and NICs are set to.
#pragma once

#include "base/complaints.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Reports keys of [transport] and [fabric] that cannot be meant together, whatever engine is asked for.
void check_packets(const ScenarioSpec& scenario, Complaints& complaints);

}  // namespace railyard
