// What a switch tells a sender.
#pragma once

#include <cstdint>

namespace railyard::packet {

/// A switch tells the sender of a link to stop, or to go on, because of a packet for a port, its cause.
struct Pause {
  std::uint32_t link, traffic_class, cause;
  bool xoff;
};

}  // namespace railyard::packet
