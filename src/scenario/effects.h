// Warnings about keys that were given where they have no effect, by the table of keys.
#pragma once

#include "base/diagnostic.h"
#include "plan/scenario.h"

namespace railyard {

/// One warning per key that was given and has no effect in this run (RY-RUN-020); of a training step in closed form one for all
/// that shape its network (RY-RUN-021). In the order of the file. What depends on the fabric as built is not seen here.
Diagnostics keys_without_effect(const Scenario& scenario);

}  // namespace railyard
