// Mistakes that show only when keys are held against each other or against the catalog.
#pragma once

#include "base/complaints.h"
#include "catalog/catalog.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Reports everything in `scenario` that cannot be meant. Fills [model] from its preset where keys were not given.
/// A scenario without a workload is a mistake if there must be one, and without GPUs if there need not.
/// Values that were already refused while reading hold their defaults and lead to no second complaint.
void check_scenario(ScenarioSpec& scenario, const Catalog& catalog, Complaints& complaints, bool needs_workload = true);

}  // namespace railyard
