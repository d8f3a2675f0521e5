// A fabric from a drawing: any graph, with shortest paths looked up instead of computed.
#pragma once

#include "base/result.h"
#include "fabric/fabric.h"
#include "plan/fabric_plan.h"
#include "plan/given_keys.h"

namespace railyard {

/// Refuses drawings whose GPUs do not all reach each other through switches.
Result<Fabric> draw_fabric(const FabricPlan& plan, const GivenKeys& keys);

}  // namespace railyard
