// Ports of a fabric by the names that reports give them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "fabric/fabric.h"

namespace railyard {

/// The ports that a list of names, with commas between them, stands for, in the order of their ids: "leaf 0 to GPU 3" is one;
/// "GPU 3" or "leaf 0" is all links of a node, both ways; "nics" is every port that leads to a host, so that a frame that
/// arrives is seen once; "all" is every port of the network. A name that nothing has is an error that suggests one
/// (RY-CAP-020).
Result<std::vector<PortId>> choose_ports(const Fabric& fabric, std::string_view names);

}  // namespace railyard
