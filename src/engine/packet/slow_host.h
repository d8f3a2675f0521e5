// What a NIC holds whose host takes packets in more slowly than they come.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/net.h"

namespace railyard::packet {

inline std::uint64_t bytes_held(const Host& host, Time now) {
  return static_cast<std::uint64_t>(std::max<Time>(0, host.drained - now)) / 1000 * static_cast<std::uint64_t>(host.take_rate) /
         8'000'000'000;
}

/// When a quarter of the NIC's buffer is left, if nothing more arrives.
inline Time resume_time(const Host& host, std::uint64_t buffer) {
  return host.drained - static_cast<Time>(buffer / 4 * 8'000'000'000 / static_cast<std::uint64_t>(host.take_rate) * 1000);
}

}  // namespace railyard::packet
