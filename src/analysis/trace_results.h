// What a replayed trace means: where the time of its ranks went, and which of them was last.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/packets/traffic_results.h"
#include "analysis/port_collectives.h"
#include "plan/scenario.h"
#include "sim/run.h"

namespace railyard {

/// One rank of a trace.
struct TracedRank {
  std::uint32_t rank = 0;
  double end_us = 0, compute_us = 0, exposed_us = 0, waiting_us = 0;
};

/// All messages, or all collectives of a kind and number of ranks.
struct TraceOpRow {
  std::string what;
  std::uint32_t ranks = 0;
  std::uint64_t calls = 0;
  Bytes size;
  double mean_us = 0, longest_us = 0;
  double busbw_gbs = 0;  // over all calls, 10^9 bytes per second
};

struct TraceResults {
  std::string file, format, tool;  // "goal", and as people write it: "GOAL"
  std::string sizes;               // what the format's sizes are, in a sentence
  std::uint32_t ranks = 0, file_ranks = 0;
  std::uint64_t nodes = 0, computes = 0, messages = 0, collectives = 0;
  double makespan_us = 0;
  double compute = 0, exposed = 0, waiting = 0, idle = 0;  // shares of the makespan, the mean of ranks; idle: done
  TracedRank slowest;                                      // the last to end
  std::vector<TracedRank> last;                            // those who ended last, at most ten
  std::vector<TraceOpRow> ops;
  CollectivesByPort by_port;  // which of them put which bytes on which link when
};

/// REQUIRES: a run of [trace].
TraceResults analyse_trace(const Scenario& scenario, const Run& run);

/// What its messages met on the network, those of collectives included.
TrafficResults analyse_trace_messages(const Scenario& scenario, const Run& run);

}  // namespace railyard
