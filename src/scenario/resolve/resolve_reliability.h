// What fails and how it is mended: from [reliability] and the catalog to a plan.
#pragma once

#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// REQUIRES: the scenario has a [reliability], and its profile is one of the catalog.
void resolve_reliability(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out);

}  // namespace railyard
