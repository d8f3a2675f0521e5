// What the plain model of the network is given, and what it gives back of each message.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/units.h"
#include "plan/packet_plan.h"

namespace railyard {

struct PlainHost {
  BitsPerSecond rate;
  Picoseconds cable;
};

struct PlainMessage {
  Bytes size;
  Picoseconds posted;
};

/// One queue pair and its messages, in the order of time.
struct PlainFlow {
  std::uint32_t from, to;
  std::vector<PlainMessage> messages;
};

struct PlainCase {
  std::vector<PlainHost> hosts;
  std::vector<PlainFlow> flows;
  Picoseconds host_latency, switch_latency;
  Bytes mtu, header, message_header;
  PacketPlan plan;
};

/// Times of one message; none if it never came to that.
struct PlainEnd {
  std::optional<Picoseconds> delivered, acknowledged;
};

}  // namespace railyard
