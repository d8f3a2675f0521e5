// Resolves transport and routing: framing, congestion control and paths.
#pragma once

#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Fills out.transport and out.routing, and notes the choices that shape every result. REQUIRES: the fabric is resolved.
void resolve_transport(const ScenarioSpec& spec, Scenario& out);

}  // namespace railyard
