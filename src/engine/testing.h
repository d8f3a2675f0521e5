// Framing that tests of engines share.
#pragma once

#include "engine/wire.h"
#include "plan/scenario.h"

namespace railyard::testing {

inline constexpr WireFormat kBareWire{.mtu = 4096_B, .header = 0_B, .message_header = 0_B};
inline constexpr WireFormat kRoceWire{.mtu = 4096_B, .header = kRoceHeader, .message_header = kRoceMessageHeader};

}  // namespace railyard::testing
