// What may be changed in a scenario to make its job faster, or its network cheaper.
#pragma once

#include <vector>

#include "answer/trial.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"

namespace railyard {

/// Changes that make sense for what the scenario has: no more queue pairs where nothing hashes, no overlap that is on already,
/// no hardware that the catalog does not have. Not run yet.
std::vector<Trial> levers_for(const Scenario& scenario, const Catalog& catalog);

/// Links below over links above the spines of a pod.
double oversubscription_above_pods(const Scenario& scenario);

}  // namespace railyard
