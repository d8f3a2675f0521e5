// Credit that receivers give for packets (RCCC of Ultra Ethernet): what both ends know of what is to come, and how fast credit
// is given.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/echo.h"
#include "engine/packet/net.h"

namespace railyard::packet {

/// The step of time stamps that a packet was sent in. REQUIRES: less than 8.6 ms ago.
inline std::int64_t step_of(std::uint32_t echo, Time now) {
  return (now >> kStampShift) - ((stamp_of(now) - (echo & kEchoMask)) & kEchoMask);
}

/// Packets say how much their sender wants to send: all that it knew of in the step they were sent in. Moves `unknown`, the
/// first message that was not known of, and `to`, one past the last packet that was.
inline void know_of(const Net& net, std::uint32_t& unknown, std::uint32_t& to, std::int64_t step) {
  while (unknown != kNone && net.messages[unknown].from >> kStampShift <= step) {
    to = net.messages[unknown].first + net.messages[unknown].packets;
    unknown = net.messages[unknown].next;
  }
}

/// What all links of a host carry, bits per second.
inline std::int64_t rate_of(const Net& net, std::uint32_t node) {
  std::int64_t rate = 0;
  for (std::uint32_t port = net.first_port[node]; port < net.first_port[node + 1]; port++) rate += net.ports[port].rate;
  return rate;
}

/// What a host takes in, bits per second: what its links carry, or less where it is slow.
inline std::int64_t take_rate_of(const Net& net, std::uint32_t node) {
  const std::int64_t rate = rate_of(net, node), own = net.hosts[node].take_rate;
  return own > 0 ? std::clamp<std::int64_t>(own, 1'000'000, rate) : rate;
}

/// How long packets keep them busy, and a sixty-fourth more, so that queues drain.
inline Time grant_time(const Net& net, std::int64_t rate, std::uint32_t packets) {
  const std::uint64_t bytes = std::uint64_t{packets} * net.p.most_packet;
  return static_cast<Time>(bytes * 8'000'000 * 65 / 64 / static_cast<std::uint64_t>(rate / 1'000'000)) + 1;
}

}  // namespace railyard::packet
