// What the threads of a block share while they are at a switch.
#pragma once

#include <cstdint>

#include "engine/packet/packet.h"

namespace railyard::packet::device {

/// When something happens next: of what is still to come at the switch, and of what it has sent.
struct BlockTimes {
  Time next, later;
};

struct BlockShared {
  static constexpr std::uint32_t kBins = 32, kKeys = 1024, kParts = 64;

  BlockTimes times;
  std::uint64_t bytes, shared_used, arrived_bytes, departed_bytes;
  std::int64_t used_most;
  std::uint32_t arrivals, data, departures, ordered, ordered_departures, has_frames, is_calm;
  std::uint32_t has_hot_port;           // many packets leave by one port
  std::uint32_t exceeds;                // the buffer may hold more than it ever did
  std::uint32_t keys, done, effects;    // events in order; how many the buffer has seen; what they cause
  std::uint32_t again;                  // a port that is to be played again, if any
  std::uint32_t in[kBins], out[kBins];  // bytes that arrive and leave, by time
  std::int64_t parts[kParts];           // bytes more after each of as many parts of all events
  std::uint64_t some_keys[kKeys];       // where they suffice

  void clear() {
    times = {kNever, kNever};
    bytes = shared_used = arrived_bytes = departed_bytes = 0;
    used_most = 0;
    arrivals = data = departures = ordered = ordered_departures = has_frames = exceeds = has_hot_port = 0;
    keys = done = effects = 0;
    again = kNone;
    is_calm = 1;
    for (std::uint32_t i = 0; i < kBins; i++) in[i] = out[i] = 0;
  }
};

}  // namespace railyard::packet::device
