// What a scenario leaves open of its model and of how that is spread over GPUs.
#pragma once

#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Dimensions of the model: those given, else those of its preset. What neither tells is open.
/// REQUIRES: spec.model.
[[nodiscard]] ModelFact dimensions_of(const ScenarioSpec& spec, const Catalog& catalog);

/// Every dimension: those known, and for open ones what is usual (docs/models.md, parameters).
[[nodiscard]] ModelPlan model_of(const ModelFact& known);

/// Degrees, schedule and overlap; what is open follows from what is given.
[[nodiscard]] ParallelPlan parallel_of(const ScenarioSpec& spec);

/// Fills out.workload.model and out.workload.parallel, and lists the dimensions that were open as inputs.
/// REQUIRES: spec.model.
void resolve_model(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out);

}  // namespace railyard
