// What a training step will need in memory, estimated before it is played.
#pragma once

#include "base/diagnostic.h"
#include "fabric/fabric.h"
#include "fabric/placement.h"
#include "plan/scenario.h"
#include "workload/step.h"

namespace railyard {

/// Upper bounds of what engine and results keep (docs/models.md, memory of steps).
struct StepMemory {
  Bytes fabric;   // and the program itself
  Bytes bundles;  // who sends to whom, over which links
  Bytes calls;    // passes and collectives as they happened
  [[nodiscard]] Bytes total() const { return fabric + bundles + calls; }
};

/// In closed form; `fabric` is the one that its groups are seated on, without ports if there is none.
StepMemory step_memory(const Step& step, const Fabric& fabric);

/// Carried by flows over `fabric`: finds every bundle that the step will open, and keeps none.
StepMemory step_memory(const Scenario& scenario, const Step& step, const Fabric& fabric, const Placement& placement);

/// An error, with what would fit, if that is more than `limit`.
Diagnostics too_large_step(const Scenario& scenario, const StepMemory& memory, Bytes limit);

}  // namespace railyard
