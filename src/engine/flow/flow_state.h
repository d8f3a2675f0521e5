// What the flow engine knows of a flow and of a message as time goes on, and what happens next to each.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "engine/engine.h"
#include "engine/flow/connections.h"

namespace railyard {

/// What there is of a flow beside its path.
struct FlowState {
  static constexpr std::int64_t kIdle = -1;
  std::int64_t rate = kIdle;
  Picoseconds since = {};  // what is left and `rate` hold since then
  Bytes carried = {};      // or still to be, by messages so far; without what book_all() has booked
  std::int64_t left_high = 0;
  std::uint64_t left_low = 0;

  [[nodiscard]] bool active() const { return rate != kIdle; }
  [[nodiscard]] Int128 left() const { return Int128(left_high) << 64 | Int128(left_low); }
  void set_left(Int128 left) {
    left_high = static_cast<std::int64_t>(left >> 64);
    left_low = static_cast<std::uint64_t>(left);
  }
};
static_assert(sizeof(FlowState) == 40, "an all-to-all has one for every pair");

struct FlowMessage {
  Message message;
  Picoseconds posted, through;
  std::uint32_t flows_left = kNotSent;
  std::uint32_t next = kNoFlight;  // in its line

  static constexpr std::uint32_t kNotSent = 0xFFFFFFFF;
  [[nodiscard]] bool arrived() const { return flows_left == 0; }
};
static_assert(sizeof(FlowMessage) == 40, "an all-to-all has one for every pair");

struct FlowDelivery {
  Picoseconds at;
  MessageId id;
  std::uint32_t message;  // in flight
  friend bool operator>(const FlowDelivery& a, const FlowDelivery& b) { return a.at != b.at ? a.at > b.at : a.id > b.id; }
};

}  // namespace railyard
