// What a lone packet needs from end to end.
#pragma once

#include <algorithm>
#include <cstdint>

#include "fabric/fabric.h"

namespace railyard {

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
    const bool stores = fabric.switching == Switching::store_and_forward || rate > before;
    head = (stores ? tail : head) + delay;
    tail = head + transmit_time(packet, rate);
    before = rate;
  }
  return tail;
}

}  // namespace railyard
