// From what the user wrote to the plans of all stages: the one place where a default is resolved.
#pragma once

#include "base/complaints.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Every figure is what the user gave, else what the catalog knows, else what is assumed, and Scenario::inputs says which.
/// Reports numbers that nobody gave and nothing implies, and those that contradict each other once they are resolved.
/// REQUIRES: check_scenario has seen `spec`.
[[nodiscard]] Scenario resolve(const ScenarioSpec& spec, const Catalog& catalog, Complaints& complaints);

}  // namespace railyard
