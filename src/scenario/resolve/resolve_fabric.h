// Resolves the fabric's physics: what the user gave, else what the catalog knows, else what is assumed and said so.
#pragma once

#include "base/complaints.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Fills out.fabric and adds to out.inputs; reports numbers that nobody gave and nothing implies.
void resolve_fabric(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out, Complaints& complaints);

}  // namespace railyard
