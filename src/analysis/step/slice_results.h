// What packets of a slice took, against what the flow engine had said of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/packets/traffic_results.h"
#include "sim/slice/slice_run.h"

namespace railyard {

/// All selected collectives of one name and kind of group.
struct SliceRow {
  std::string what, group;
  std::uint64_t collectives = 0, edges = 0;  // the latter of all of them together
  Bytes flow, packets;                       // payload in the window
  double flow_gbps = 0, packet_gbps = 0;     // of an edge while it is sent over, on average
  double packet_least_gbps = 0, ratio = 0;   // of the edge whose packets are slowest against the flow engine, and by how much
  double line_gbps = 0;                      // of the fastest NIC
  std::uint64_t finished = 0;                // collectives that both engines begin and end in the window
  double flow_us = 0, packet_us = 0;         // of those, on average, on the network
};

struct SliceResults {
  double from_us = 0, to_us = 0;  // of the step
  std::vector<std::string> names;
  std::vector<SliceRow> rows;
  double ratio = 0;                                 // the lowest of them
  std::uint64_t others = 0;                         // collectives that are background
  double background_mean = 0, background_most = 0;  // share of a port's rate: of ports that packets take, and of the fullest
  TrafficResults traffic;                           // pieces as messages; those that are cut off count as undelivered
};

/// REQUIRES: a run of a slice.
SliceResults analyse_slice(const Run& run);

}  // namespace railyard
