// What is counted of ports and queues apart from their rows, because it is seldom touched.
#pragma once

#include <cstdint>

#include "engine/packet/packet.h"

namespace railyard::packet {

/// How often and how long one class was stopped at a port; apart from its row, because that is rare.
struct PauseCounter {
  Time changed = 0;  // when it was last stopped, or let go on
  Time sum = 0;      // of what is over
  std::uint64_t count = 0;
  Time watched = kNever;   // when a watchdog first stepped in
  std::uint64_t sent = 0;  // pauses that this port has sent, for what comes in at its node over the link back
};

inline constexpr std::uint32_t kWaits = 40;  // buckets of time in a queue, by powers of two; the last: half a second and more

}  // namespace railyard::packet
