// Settles what share of a port's rate flows get to use: what the user gave, else what packets were seen to reach.
#pragma once

#include "catalog/catalog.h"
#include "scenario/scenario.h"

namespace railyard {

/// Fills scenario.engine.efficiency from the catalog's transports where flows are played and the scenario leaves it open, and
/// adds it to scenario.inputs. REQUIRES: the routing policy is settled.
void settle_efficiency(Scenario& scenario, const Catalog& catalog);

}  // namespace railyard
