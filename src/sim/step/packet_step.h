// A whole training step, packet by packet, once flows have carried it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "sim/packet_memory.h"
#include "sim/slice/slice_plan.h"
#include "sim/step/piece_engine.h"
#include "sim/step/step_run.h"

namespace railyard {

struct Run;
struct RunOptions;

/// How much there is to simulate, by what flows carried.
struct StepPackets {
  double packets = 0, hops = 0;  // with payload; links that they cross
  double messages = 0;           // pieces
  double payload = 0;            // bytes, of all edges
  std::uint64_t connections = 0;
  void add(const StepPackets& other, double times);
};
StepPackets count_packets(const Fabric& fabric, const WireFormat& wire, const CarriedStep& step);

/// What whoever reads a packet-by-packet step wants to hold it against, and what only packets tell.
struct PacketStep {
  StepPackets expected;
  Picoseconds over_flows;         // the step
  std::vector<OpTimes> flow_ops;  // its collectives, in the order of their names
  std::uint64_t connections = 0;
  std::vector<PieceEngine::Straggler> stragglers;  // edges that held up others for longest
  MemoryEstimate memory;
};

/// By port: what NICs leave of their rate, so that they send payload at `share` of it, which is what large collectives reach.
std::vector<BitsPerSecond> left_by_nics(const Fabric& fabric, const WireFormat& wire, double share);

/// What packets of that many need in memory.
MemoryEstimate step_packet_memory(const Scenario& scenario, const Fabric& fabric, const WireFormat& wire,
                                  const PathPolicy& routing, const StepPackets& packets);

/// Refuses more packet-hops than engine.limit; says how much there is to do. `what` has them: "this step".
Diagnostics too_many_packets(const Scenario& scenario, const StepPackets& packets, const char* what);

/// Plays the step again: `run` has what flows made of it, and then what packets did, in its network and its collectives. NICs
/// send payload at no more than the share of their rate that flows get, which is what large collectives reach.
Result<StepRun> play_packets(const Scenario& scenario, const Step& step, const std::vector<PortChange>& failures,
                             const RunOptions& options, const StepRun& over_flows, const Jitter* jitter, Run& run,
                             Progress& progress);

}  // namespace railyard
