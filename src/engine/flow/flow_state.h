// What the flow engine knows of a flow and of a message as time goes on, and what happens next to each.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "engine/engine.h"
#include "engine/flow/connections.h"

namespace railyard {

/// What there is of a flow beside its path.
struct FlowState {
  Int128 left = 0;
  std::int64_t rate = 0;
  Picoseconds since = {};  // `left` and `rate` hold since then
  bool active = false;
  Bytes carried = {};  // or still to be, by messages so far; without what book_all() has booked
};
static_assert(sizeof(FlowState) == 48, "an all-to-all has one for every pair");

struct FlowMessage {
  Message message;
  Picoseconds posted, through;
  std::uint32_t flows_left = 0;
  bool arrived = false;
  std::uint32_t next = kNoFlight;          // in its line
  std::uint32_t next_waiting = kNoFlight;  // of its connection, where that has several
};

struct FlowStart {
  Picoseconds at;
  Message message;
};

struct FlowDelivery {
  Picoseconds at;
  MessageId id;
  std::uint32_t message;  // in flight
  friend bool operator>(const FlowDelivery& a, const FlowDelivery& b) { return a.at != b.at ? a.at > b.at : a.id > b.id; }
};

}  // namespace railyard
