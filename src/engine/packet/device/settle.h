// What switches of one window make known to each other when none of them runs any more.
#pragma once

#include <cstdint>

#include "engine/packet/device/out.h"

namespace railyard::packet::device {

/// Where no switch runs any more: others hear of what a switch has read and sent.
template<class Block>
void settle(const State& state, Block& block, std::uint32_t node) {
  const Net& net = state.net;
  const std::uint32_t first_link = net.first_link[node], first_port = net.first_port[node];
  block.each(net.first_link[node + 1] - first_link, [&](std::uint32_t slot) {
    RingOf<Packet>& ring = state.rings[first_link + slot];
    if (ring.head != ring.read) ring.head = ring.read;
    const std::uint32_t told = net.links[first_link + slot].port;
    if (state.frames[told].tail != state.frame_writers[told].tail) Out::publish_frames(state, told);
  });
  block.each(net.first_port[node + 1] - first_port, [&](std::uint32_t slot) {
    RingOf<Frame>& ring = state.frames[first_port + slot];
    if (ring.head != ring.read) ring.head = ring.read;
    const Port& port = net.ports[first_port + slot];
    if (port.ring_tail != port.ring_published) Out::publish_packets(state, first_port + slot);
  });
}

}  // namespace railyard::packet::device
