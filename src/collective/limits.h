// What no algorithm can do without: bytes that must be sent, and bytes that must cross between two sides of a group.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "plan/choices.h"

namespace railyard {

/// What switches do: forward alone, or add up and multicast as well.
enum class SwitchHelp : std::uint8_t { none, reduce_and_multicast };

/// Bytes all positions together must send, whatever the algorithm (Chan et al., Collective communication: theory, practice, and
/// experience, 2007; all_reduce: Patarasuk and Yuan, 2009). `size` as in lower() (collective/lower.h).
Bytes least_bytes_sent(CollectiveKind kind, std::uint32_t positions, Bytes size, SwitchHelp help = SwitchHelp::none);

/// Bytes that must cross between `inside` of the positions and the rest. Switches that reduce change nothing, on whichever
/// side.
struct CutBytes {
  Bytes out, in;
};

/// Position 0, the root of broadcast and reduce, lies inside or not. Whichever positions are meant: where the buffer does not
/// divide evenly, those with the smallest parts. REQUIRES: 0 < inside < positions.
CutBytes least_bytes_across(CollectiveKind kind, std::uint32_t positions, std::uint32_t inside, bool root_inside, Bytes size);

}  // namespace railyard
