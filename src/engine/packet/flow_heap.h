// Flows by time: a min-heap in a piece of an array.
#pragma once

#include <cstdint>

#include "engine/packet/packet.h"

namespace railyard::packet {

struct TimedFlow {
  Time at;
  std::uint32_t flow;
  friend bool operator<(const TimedFlow& a, const TimedFlow& b) { return a.at != b.at ? a.at > b.at : a.flow > b.flow; }
};

/// A min-heap of flows by time in a piece of an array. REQUIRES: never more entries than it has room for.
struct FlowHeap {
  TimedFlow* entries = nullptr;
  std::uint32_t size = 0, room = 0;

  void push(TimedFlow entry) {
    std::uint32_t i = size++;
    for (; i > 0 && entries[(i - 1) / 2] < entry; i = (i - 1) / 2) entries[i] = entries[(i - 1) / 2];
    entries[i] = entry;
  }
  void pop() {
    const TimedFlow entry = entries[--size];
    std::uint32_t i = 0;
    for (std::uint32_t child = 1; child < size; child = 2 * i + 1) {
      if (child + 1 < size && entries[child] < entries[child + 1]) child++;
      if (!(entry < entries[child])) break;
      entries[i] = entries[child];
      i = child;
    }
    entries[i] = entry;
  }
  /// REQUIRES: the flow has an entry. Looks at all of them: it is for what happens seldom.
  void remove(std::uint32_t flow) {
    std::uint32_t i = 0;
    while (entries[i].flow != flow) i++;
    for (; i > 0; i = (i - 1) / 2) entries[i] = entries[(i - 1) / 2];
    pop();
  }
  [[nodiscard]] Time first() const { return size == 0 ? kNever : entries[0].at; }
};

}  // namespace railyard::packet
