// Mistakes of [fabric] and [placement].
#pragma once

#include "base/complaints.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Reports everything in [fabric], its sections and [placement] that cannot be meant.
void check_fabric(const ScenarioSpec& scenario, Complaints& complaints);

}  // namespace railyard
