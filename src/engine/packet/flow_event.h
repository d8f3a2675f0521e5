// What the packet engine tells of flows while it runs.
#pragma once

#include <cstdint>

#include "engine/packet/packet.h"

namespace railyard::packet {

/// A message's end, as a host saw it.
struct FlowEvent {
  Time at;
  std::uint32_t flow;
  friend bool operator<(const FlowEvent& a, const FlowEvent& b) { return a.at != b.at ? a.at < b.at : a.flow < b.flow; }
};

/// A sender that heard nothing for long.
struct Timeout {
  Time at;
  std::uint32_t flow;
  bool broken;  // it gives up for good
  friend bool operator<(const Timeout& a, const Timeout& b) { return a.at != b.at ? a.at < b.at : a.flow < b.flow; }
};

}  // namespace railyard::packet
