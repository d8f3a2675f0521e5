// Whether a model, its batch and its parallelism go together.
#pragma once

#include "base/complaints.h"
#include "catalog/catalog.h"
#include "scenario/scenario.h"

namespace railyard {

/// Lays the given keys of [model] over its preset, settles the schedule, and reports what cannot be meant.
/// REQUIRES: scenario.model.
void check_training(Scenario& scenario, const Catalog& catalog, Complaints& complaints);

/// How many layers each of `parts` parts of the model gets: as given, else evenly; where that does not come out, the ends,
/// which also hold embedding and head, get one less. Empty if there is no such split.
std::vector<std::uint32_t> split_layers(std::uint32_t layers, std::uint32_t parts, const std::vector<std::uint32_t>& given);

}  // namespace railyard
