// Whether a model, its batch and its parallelism go together.
#pragma once

#include "base/complaints.h"
#include "catalog/catalog.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Lays the given keys of [model] over its preset, settles the schedule, and reports what cannot be meant.
/// REQUIRES: scenario.model.
void check_training(const ScenarioSpec& scenario, const Catalog& catalog, Complaints& complaints);

}  // namespace railyard
