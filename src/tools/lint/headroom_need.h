// Headroom that ports keep and need, as rules count it.
#pragma once

#include "tools/lint/view.h"

namespace railyard {

/// What a port must keep for one lossless priority; no cable counts as none. Frames of RDMA are at most 4096 and headers.
/// REQUIRES: speed > 0.
[[nodiscard]] Bytes needed_headroom(BitsPerSecond speed, std::optional<Millimetres> cable, std::optional<Bytes> mtu);
/// The same with the margin of the formula: what a repair sets.
[[nodiscard]] Bytes advised_headroom(BitsPerSecond speed, std::optional<Millimetres> cable, std::optional<Bytes> mtu);

/// What all ports of a use keep for a priority: as configured, else what they need at least; zero where neither is known.
[[nodiscard]] Bytes kept_headroom(const PolicyUse& use, std::uint8_t priority);

}  // namespace railyard
