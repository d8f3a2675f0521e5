// What packets of a whole training step took, against what the flow engine had said of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/packets/packet_results.h"
#include "sim/run.h"

namespace railyard {

/// All calls of one name and kind of group, in both engines.
struct HeldRow {
  std::string what, group;
  std::uint64_t calls = 0;
  double flow_s = 0, packet_s = 0;  // of one call, on average
  double ratio = 0;                 // of the latter to the former
  double packet_longest_s = 0;
};

/// One sender and one receiver that others waited for.
struct StragglerRow {
  std::string from, to;
  std::uint64_t calls = 0;  // in which it was the last
  double behind_s = 0;      // of all of them: after the mean of all senders
};

struct PacketStepResults {
  double flow_step_s = 0;
  double ratio = 0;                             // of the step's time to that
  std::uint64_t messages = 0, connections = 0;  // pieces of collectives
  double payload_bytes = 0;
  double expected_hops = 0;  // before it was played
  std::vector<HeldRow> rows;
  std::vector<StragglerRow> stragglers;  // those that cost most first
  PacketResults packets;
};

/// REQUIRES: a run of a whole step, packet by packet.
PacketStepResults analyse_packet_step(const Run& run);

}  // namespace railyard
