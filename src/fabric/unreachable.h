// Why one GPU cannot reach another, or its switch, for people.
#pragma once

#include <string>

#include "fabric/fabric.h"
#include "fabric/live.h"

namespace railyard {

/// "GPU 5 cannot reach GPU 9: leaf 3 has no live uplink"; empty if it can. Switches of a tier are numbered through.
/// REQUIRES: from != to.
std::string why_unreachable(const Fabric& fabric, const LivePorts& live, EndpointId from, EndpointId to);

/// "the port of the NIC of GPU 0 is down"; empty if something passes a trunk. `endpoint`: at its lower end, if it is one's.
std::string why_down(const Fabric& fabric, const LivePorts& live, TrunkId trunk, EndpointId endpoint);

}  // namespace railyard
