// What all threads of a lookahead scheduler share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "engine/packet/links.h"
#include "engine/packet/lookahead_scheduler.h"
#include "engine/packet/marks.h"

namespace railyard::packet {

namespace {  // for lookahead_scheduler.cpp alone: what nobody else can call is inlined

/// A pause frame on its way, or word of room; or, between switches of a scheduled fabric, of credit.
struct ControlFrame {
  Time at;
  std::uint32_t port;
  std::uint32_t credit;  // bytes; zero: a pause frame
  std::uint8_t traffic_class;
  bool xoff;                    // or: it asks
  std::uint32_t other = kNone;  // who asks, a switch; for whom credit is given, a port
};

/// What all workers share.
struct SharedState {
  SharedState(Network& the_network, Sampler& the_sampler, const TapFeed* the_tap, Time the_span, unsigned the_threads)
      : network(the_network),
        sampler(the_sampler),
        tap(the_tap),
        span(the_span),
        threads(the_threads),
        process(the_network.share().process),
        processes(the_network.share().processes),
        workers(the_network.workers_by_node(threads * processes)),
        links(static_cast<std::uint32_t>(the_network.port_count())),
        marks{Marks(the_network.nodes()), Marks(the_network.nodes())},
        control_frames(the_network.nodes()) {
    for (std::uint32_t port = 0; port < network.port_count(); port++)
      if (network.is_here(network.port_as_built(port))) links.attach(network.net.ports[port]);
  }

  /// Whether another process plays a node.
  [[nodiscard]] bool is_elsewhere(std::uint32_t node) const { return processes > 1 && network.process_of(node) != process; }

  /// A control frame on its way to a node: what takes effect first is first.
  void keep(const ControlFrame& frame, std::uint32_t node) {
    const auto is_before = [](const ControlFrame& a, const ControlFrame& b) {
      return std::tuple(a.at, a.port, a.other, a.traffic_class) < std::tuple(b.at, b.port, b.other, b.traffic_class);
    };
    std::vector<ControlFrame>& box = control_frames[node];
    box.insert(std::upper_bound(box.begin(), box.end(), frame, is_before), frame);
  }

  /// Control frames on their way to a port get lost.
  void lose_frames(std::uint32_t port) {
    std::erase_if(control_frames[network.net.ports[port].node], [&](const ControlFrame& one) { return one.port == port; });
  }

  Network& network;
  Sampler& sampler;
  const TapFeed* const tap;  // none: nobody looks at wires
  const Time span;
  const std::uint32_t threads, process, processes;
  const std::vector<std::uint32_t> workers;  // by node: who plays it, workers of all processes counted through
  Links links;
  Marks marks[2];                                         // by whether the interval is odd
  std::vector<std::vector<ControlFrame>> control_frames;  // by node, by time
};

}  // namespace

}  // namespace railyard::packet
