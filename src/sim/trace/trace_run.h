// What became of a trace that was replayed over an engine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace railyard {

/// Where the time of a rank went, until it had nothing left to do: parts add up to `end`.
struct TraceRankTimes {
  Picoseconds end;
  Picoseconds compute;  // some stream of it computed
  Picoseconds exposed;  // it did not, and something of its own was on the network
  Picoseconds waiting;  // neither: others were not ready
};

/// All messages, or all collectives of one kind and number of ranks.
struct TraceOpTimes {
  std::string what;         // "send", "all_reduce"
  std::uint32_t ranks = 0;  // of a group; of messages 2
  std::uint64_t calls = 0;
  Bytes size;                 // of all of them: as nccl-tests count it
  Picoseconds time, longest;  // from the last rank's arrival to the last delivery: the sum, and of one
  double bus_bytes = 0;       // what all sizes are times the bus factor of nccl-tests
};

struct TraceRun {
  Picoseconds makespan;  // the last node of the last rank
  std::vector<TraceRankTimes> ranks;
  std::vector<TraceOpTimes> ops;  // by name and number of ranks
};

}  // namespace railyard
