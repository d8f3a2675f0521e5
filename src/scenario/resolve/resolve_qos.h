// [qos] to policies, and those to what each device does with each class of traffic.
#pragma once

#include "base/complaints.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Fills in PacketPlan::qos where [qos] says anything that the rest of the scenario does not. REQUIRES: the rest of the packet
/// plan is resolved.
void resolve_qos(const ScenarioSpec& spec, Scenario& out, Complaints& complaints);

/// A policy with what a table says otherwise. What is wrong together is complained about.
[[nodiscard]] QosPolicy with_table(QosPolicy policy, const QosTable& table);

}  // namespace railyard
