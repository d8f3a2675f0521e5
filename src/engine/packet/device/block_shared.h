// What the threads of a block share while they are at a switch.
#pragma once

#include <cstdint>

#include "engine/packet/device/atomics.h"
#include "engine/packet/net.h"

namespace railyard::packet::device {

/// The first of many times since a window began. Most are near, where a word is enough for threads to agree on.
struct FirstTime {
  std::uint32_t near;
  Time far;

  static constexpr std::uint32_t kFar = 0xFFFFFFFFU;
  void clear() { near = kFar, far = kNever; }
  void note(Time at, Time begin) {
    if (at >= kNever) return;
    if (at - begin < Time{kFar})
      lower(&near, static_cast<std::uint32_t>(at - begin));
    else
      lower(&far, at);
  }
  [[nodiscard]] Time value(Time begin) const { return near != kFar ? begin + near : far; }
};

/// When something happens next: of what is still to come at the switch, and of what it has sent.
struct BlockTimes {
  FirstTime next, later;
};

/// Rows of a switch by link, by port, or by class and link: a row's length is that of the larger of both.
struct SwitchRows {
  std::uint32_t* link_first;  // by link: its first arrival
  std::uint32_t* link_count;  // arrivals
  std::uint32_t* port_first;  // by port: into arrivals by port
  std::uint32_t* port_count;
  std::uint32_t* mixed;     // by port: whether LineRun cannot play it
  std::uint32_t* others;    // ports that it did not play
  std::uint32_t* arrived;   // by class and link: bytes that the buffer is asked for
  std::uint32_t* departed;  // bytes that left it
  Queue* queues;            // by port and class
  std::uint32_t length;

  static constexpr std::size_t kBytes = (6 + 2 * kClasses) * sizeof(std::uint32_t) + kClasses * sizeof(Queue);  // of one port

  static SwitchRows over(std::byte* memory, std::uint32_t length) {
    SwitchRows rows{};
    rows.length = length;
    rows.queues = reinterpret_cast<Queue*>(memory);
    auto* at = reinterpret_cast<std::uint32_t*>(memory + std::size_t{length} * kClasses * sizeof(Queue));
    rows.link_first = at;
    rows.link_count = at + length;
    rows.port_first = at + 2 * std::size_t{length};
    rows.port_count = at + 3 * std::size_t{length};
    rows.mixed = at + 4 * std::size_t{length};
    rows.others = at + 5 * std::size_t{length};
    rows.arrived = at + 6 * std::size_t{length};
    rows.departed = at + (6 + kClasses) * std::size_t{length};
    return rows;
  }
};

struct BlockShared {
  static constexpr std::uint32_t kBins = 32, kKeys = 1024, kParts = 64, kPorts = 64;

  /// What is counted of a window, and is zero before it.
  struct Counts {
    std::uint32_t bytes, arrived_bytes, departed_bytes;
    std::uint32_t shared_low, shared_high;  // of what the buffer has shared: the lower sixteen bits of all links, and the upper
    std::uint32_t arrivals, data, departures, ordered, has_frames, others;
    std::uint32_t is_crowded;                                  // most go to one port
    std::uint32_t is_stormy;                                   // the buffer may have to do something
    std::uint32_t exceeds;                                     // it may hold more than it ever did, or one link may
    std::uint32_t keys, done, effects;                         // events in order; how many the buffer has seen; what they cause
    std::uint32_t in[kBins], out[kBins];                       // bytes that arrive and leave, by time
    std::uint32_t depth[32], waits[kWaits], marked[kClasses];  // as of a Switch
  };
  Counts counts;
  BlockTimes times;
  std::int64_t used_most;
  std::uint32_t turn;                                            // the switch that comes next
  std::uint32_t again;                                           // a port that is to be played again, if any
  std::int64_t parts[kParts];                                    // bytes more after each of as many parts of all events
  std::uint64_t some_keys[kKeys];                                // where they suffice
  std::uint32_t some_words[kKeys];                               // of the same events
  alignas(16) std::byte some_rows[kPorts * SwitchRows::kBytes];  // the same
};

}  // namespace railyard::packet::device
