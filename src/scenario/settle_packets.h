// Settles what queues, switches and NICs are set to: what the user gave, else a named set, the catalog, or what is assumed.
#pragma once

#include "base/complaints.h"
#include "catalog/catalog.h"
#include "scenario/scenario.h"

namespace railyard {

/// Fills scenario.packet, adds to scenario.inputs, and reports values that contradict what was settled. REQUIRES: the fabric's
/// plan is settled.
void settle_packets(Scenario& scenario, const Catalog& catalog, Complaints& complaints);

}  // namespace railyard
