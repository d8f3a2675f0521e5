// What a lone packet needs from end to end.
#pragma once

#include <algorithm>
#include <cstdint>

#include "fabric/fabric.h"

namespace railyard {

/// In a scheduled fabric a packet waits at its first switch for a credit of the last one: the way there and back, and what the
/// scheduler takes. Packets that follow have asked for theirs meanwhile.
template<class Steps>
Picoseconds credit_time(const Fabric& fabric, const Steps& steps) {
  if (fabric.switching != Switching::scheduled) return {};
  Picoseconds between;
  bool has_switch = false;
  for (auto step = steps.begin(); step != steps.end();) {
    const Tier tier = fabric.trunk_tier[step->trunk];
    Picoseconds delay;
    for (const std::uint32_t hop = step->hop; step != steps.end() && step->hop == hop; ++step)
      delay = std::max(delay, fabric.trunk_delay[step->trunk]);
    has_switch = has_switch || tier == Tier::host_down;
    if (tier != Tier::host_up && tier != Tier::host_down && !is_scale_up(tier)) between += delay;
  }
  return has_switch ? between * 2 + fabric.credit_delay : Picoseconds::zero();
}

/// From the first bit's start to the last bit's arrival, over `steps` in order: each has a `trunk` and the `hop` it is part of,
/// and of trunks that are taken in one hop the slowest counts. A switch that stores waits for the last bit before it sends the
/// first one on; so does one whose next port is faster than the last, which would run dry.
template<class Steps>
Picoseconds packet_time(const Fabric& fabric, const Steps& steps, Bytes packet) {
  Picoseconds head, tail;  // when the packet's first and last bit reach the next node
  BitsPerSecond before = BitsPerSecond::zero();
  for (auto step = steps.begin(); step != steps.end();) {
    BitsPerSecond rate = BitsPerSecond::max();
    Picoseconds delay;
    for (const std::uint32_t hop = step->hop; step != steps.end() && step->hop == hop; ++step) {
      rate = std::min(rate, fabric.trunk_port_rate[step->trunk]);
      delay = std::max(delay, fabric.trunk_delay[step->trunk]);
    }
    const bool stores = fabric.switching != Switching::cut_through || rate > before;
    head = (stores ? tail : head) + delay;
    tail = head + transmit_time(packet, rate);
    before = rate;
  }
  return tail + credit_time(fabric, steps);
}

}  // namespace railyard
