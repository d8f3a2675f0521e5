// What all threads of a lookahead scheduler share.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/packet/links.h"
#include "engine/packet/lookahead_scheduler.h"
#include "engine/packet/marks.h"

namespace railyard::packet {

namespace {  // for lookahead_scheduler.cpp alone: what nobody else can call is inlined

/// A pause frame on its way, or word of room.
struct ControlFrame {
  Time at;
  std::uint32_t port;
  std::uint32_t credit;  // bytes; zero: a pause frame
  std::uint8_t traffic_class;
  bool xoff;
};

/// What all workers share.
struct SharedState {
  SharedState(Network& the_network, Sampler& the_sampler, const TapFeed* the_tap, Time the_span)
      : network(the_network),
        sampler(the_sampler),
        tap(the_tap),
        span(the_span),
        links(static_cast<std::uint32_t>(the_network.port_count())),
        marks{Marks(the_network.nodes()), Marks(the_network.nodes())},
        control_frames(the_network.nodes()) {
    links.attach(network.net.ports, network.port_count());
  }

  Network& network;
  Sampler& sampler;
  const TapFeed* const tap;  // none: nobody looks at wires
  const Time span;
  Links links;
  Marks marks[2];                                         // by whether the interval is odd
  std::vector<std::vector<ControlFrame>> control_frames;  // by node, by time
};

}  // namespace

}  // namespace railyard::packet
