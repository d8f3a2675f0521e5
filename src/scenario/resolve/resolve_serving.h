// What a scenario leaves open of how a model is served.
#pragma once

#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Fills out.workload.serving, lists what it rests on, and has the parallelism of decode stand for that of the model.
/// REQUIRES: spec.model and spec.serving.
void resolve_serving(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out);

}  // namespace railyard
