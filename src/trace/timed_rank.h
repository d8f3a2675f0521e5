// What one rank did and when, as nodes of a graph: what waits for what follows from the times.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "trace/graph.h"

namespace railyard {

struct TimedEvent {
  std::int64_t start = 0, end = 0;  // ps
  TraceNode node;                   // rank is set later, and of a compute what it takes
  bool communicates = false;        // of a compute: it stands for communication of which nothing but its time is known
};

/// Adds the events of one rank, which are in the order of their beginnings. Each waits for the last compute and the last
/// communication that had ended when it began, and then as long as the rank had nothing to do: what the host took. `peer`
/// tells the group of a collective and the peer of a message.
void add_timed_rank(TraceDraft& draft, std::uint32_t rank, std::span<const TimedEvent> events,
                    const std::function<std::uint32_t(const TimedEvent&)>& peer);

}  // namespace railyard
