// Resolves transport and routing: framing, congestion control and paths.
#pragma once

#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Fills out.transport and out.routing, and notes the choices that shape every result. REQUIRES: the fabric is resolved.
void resolve_transport(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out);

}  // namespace railyard
