// Whether what [qos] says goes together.
#pragma once

#include "base/complaints.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Complains about a table that makes a policy of what cannot be.
void check_policy(const ScenarioSpec& spec, const QosPolicy& policy, const QosTable& table, Complaints& complaints);

/// Complains about rates of a host whose DCQCN is its own, on links of `line`.
void check_dcqcn(const DcqcnPlan& plan, BitsPerSecond line, const SourceSpan& where, Complaints& complaints);

/// Complains about devices that would drop every packet.
void check_device_plan(const ScenarioSpec& spec, const Scenario& out, Complaints& complaints);

}  // namespace railyard
