// A fabric in the language of Graphviz.
#pragma once

#include <string>

#include "fabric/fabric.h"
#include "tools/fabric/summary.h"

namespace railyard {

/// Pods and what hangs on a leaf are clusters; parallel links are one edge with their number. Above about 2,000 nodes the hosts
/// of a leaf are one node, and above that many switches those of a group are one, and the graph says so in its label.
std::string fabric_dot(const Fabric& fabric, const FabricSummary& summary);

}  // namespace railyard
