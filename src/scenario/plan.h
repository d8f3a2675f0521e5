// Settles the fabric's physics: what the user gave, else what the catalog knows, else what is assumed and said so.
#pragma once

#include "base/complaints.h"
#include "catalog/catalog.h"
#include "scenario/scenario.h"

namespace railyard {

/// Fills scenario.plan and scenario.inputs; reports numbers that nobody gave and nothing implies.
void make_plan(Scenario& scenario, const Catalog& catalog, Complaints& complaints);

}  // namespace railyard
