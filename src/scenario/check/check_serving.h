// Whether what is said of serving goes together.
#pragma once

#include "base/complaints.h"
#include "catalog/catalog.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Reports what cannot be meant, and has the cluster as large as serving needs where its size is not given.
/// REQUIRES: scenario.serving.
void check_serving(ScenarioSpec& scenario, const Catalog& catalog, Complaints& complaints);

}  // namespace railyard
