// From a few numbers to a fabric.
#pragma once

#include "base/result.h"
#include "fabric/fabric.h"
#include "scenario/scenario.h"

namespace railyard {

/// Builds the star or leaf-spine that `scenario` describes; a fabric that cannot be wired says what is short.
/// REQUIRES: the topology is one of those (sim/supported.h refuses the others).
Result<Fabric> build_fabric(const Scenario& scenario);

}  // namespace railyard
