// Pairs of GPUs in a fabric that was drawn.
#pragma once

#include "tools/fabric/pairs.h"

namespace railyard {

/// REQUIRES: fabric.drawn.
PairTable classify_drawn(const Scenario& scenario, const Fabric& fabric);

}  // namespace railyard
