// Resolves what share of a port's rate flows get to use: what the user gave, else what packets were seen to reach.
#pragma once

#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Fills out.engine.efficiency from the catalog's transports where flows are played and the scenario leaves it open, and
/// adds it to out.inputs; and scales what a step reaches by what headers leave to payload. REQUIRES: transport and routing are
/// resolved, and what configurations say of them.
void resolve_efficiency(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out);

}  // namespace railyard
