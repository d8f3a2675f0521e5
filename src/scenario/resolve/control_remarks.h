// Remarks about the congestion control of a run over packets: what is as good as surely not meant, and what is an estimate.
#pragma once

#include "base/diagnostic.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// RY-SCN-132 to 135, none of which stops a run. REQUIRES: out is resolved, and of packets.
[[nodiscard]] Diagnostics control_remarks(const ScenarioSpec& spec, const Scenario& out);

}  // namespace railyard
