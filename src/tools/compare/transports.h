// The same job over transports that few scenarios have: Ultra Ethernet and TCP.
#pragma once

#include "tools/compare/compare.h"

namespace railyard {

/// Names of trials that tables look for.
inline constexpr const char* kOverUltraEthernet = "Ultra Ethernet";
inline constexpr const char* kOverTcp = "TCP";

/// Beside those over RoCE and InfiniBand: Ultra Ethernet, whose NICs spray packets, and TCP in the kernel, whose flows are
/// hashed. Shape, rates and the latency of switches are those of RoCE there. What the scenario has is not tried; nothing where
/// the network is not simulated. Not run yet.
std::vector<Trial> more_transports(const Scenario& scenario);

}  // namespace railyard
