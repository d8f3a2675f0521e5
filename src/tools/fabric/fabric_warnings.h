// What somebody who is about to buy a fabric would want to be told about it.
#pragma once

#include <string>
#include <vector>

#include "tools/fabric/summary.h"

namespace railyard {

/// Sentences: ports that stay empty, groups that are not full, single switches that everything depends on.
std::vector<std::string> fabric_warnings(const Fabric& fabric, const FabricSummary& summary);

}  // namespace railyard
