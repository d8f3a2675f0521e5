// Resolves what queues, switches and NICs are set to: what the user gave, else a named set, the catalog, or what is assumed.
#pragma once

#include "base/complaints.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Fills out.packet, adds to out.inputs, and reports values that contradict what was resolved. REQUIRES: fabric and transport
/// are resolved.
void resolve_packets(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out, Complaints& complaints);

}  // namespace railyard
