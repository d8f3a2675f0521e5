// Columns to conclusions: what a run means, as one value that every report is made from. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/lost_links.h"
#include "analysis/packets/packet_results.h"
#include "analysis/packets/traffic_results.h"
#include "analysis/patterns/entropy.h"
#include "analysis/patterns/patterns.h"
#include "analysis/port_collectives.h"
#include "analysis/step/circuit_results.h"
#include "analysis/step/jitter_results.h"
#include "analysis/step/network_results.h"
#include "analysis/step/packet_step_results.h"
#include "analysis/step/slice_results.h"
#include "analysis/step/step_results.h"
#include "analysis/tier_loads.h"
#include "analysis/trace_results.h"
#include "base/diagnostic.h"
#include "base/units.h"
#include "fabric/fabric.h"
#include "plan/scenario.h"
#include "sim/simulate.h"

namespace railyard {

/// One line of a collective sweep, in the terms of nccl-tests.
struct CollectivePoint {
  Bytes size;
  Picoseconds time;
  Picoseconds bound;     // nothing here is faster
  double algbw_gbs = 0;  // size / time, 10^9 bytes per second
  double busbw_gbs = 0;  // algbw times the factor of nccl-tests: comparable to a link's rate whatever the number of ranks
  double of_bound = 0;   // bound / time
  double sent = 0;       // what a rank hands to its links on average, over the size
  std::string algorithm;
  std::string protocol;  // of a library; empty without one
  std::uint32_t channels = 0;
  std::string limit;  // what takes most of the time: "host to leaf", "leaf to spine, one path", …, or "latency"
  std::vector<CdfPoint> message_cdf = {};     // of messages, microseconds from post to delivery; none with a library
  std::optional<PacketResults> packets = {};  // of a library: of what its rates were measured with
};

struct RunFabric {
  std::string topology;
  std::uint32_t endpoints = 0, leaves = 0, hosts_per_leaf = 0, spines = 0, cores = 0, pods = 0;
  std::uint32_t uplinks = 0, links_per_spine = 0;  // of one leaf switch, in all and to one spine
  BitsPerSecond link_rate, uplink_rate;
  double oversubscription = 1;          // as built
  std::uint32_t neighbours_across = 0;  // ring neighbours under different leaves
};

struct Results {
  std::string name, engine, fingerprint;
  std::uint32_t ranks = 0;
  std::optional<StepResults> step;           // of a training step; what follows the network is of collectives
  std::optional<NetworkResults> network;     // of a training step that was played over one
  std::optional<PacketStepResults> packets;  // of a training step, all of it packet by packet
  std::optional<SliceResults> slice;         // of a training step, what was played packet by packet
  std::optional<JitterResults> jitter;       // of a training step, what delays did to it
  std::optional<CircuitResults> circuits;    // the same, what circuits did that change between its phases
  std::optional<TrafficResults> traffic;     // of [traffic], and of the messages of a trace; what follows the fabric is of
                                             // collectives
  std::optional<TraceResults> trace;         // of [trace]
  Patterns patterns;                         // of the traffic of any run
  RunFabric fabric;
  std::vector<CollectivePoint> points;
  std::vector<TierLoad> tiers;                // of the largest size
  std::vector<MemberLoads> members;           // the same: how flows lie on equal paths, where switches hash
  std::vector<RailLoad> rails;                // the same: what NICs of each rail sent
  CollectivesByPort by_port;                  // the same: what it put on which link when
  bool balanced = false;                      // packets are spread over all equal paths
  std::string collective, library;            // "all_reduce"; "NCCL", or empty without one
  std::optional<Telemetry::Solving> solving;  // by the flow engine, of the largest size
  Bytes memory;                               // that the run was expected to need at most; zero where nobody estimates
  double unhelped = 0;                        // what a rank sends over the size if no switch helps
  std::vector<std::string> failures;          // as they were written, and what happens
  std::vector<LostLinks> lost_links;          // over flows: what they take
  std::vector<Input> inputs;
  Diagnostics diagnostics;
};

/// What a run means. No rate, share or slowdown of it is beyond what physics allows (analysis/check_results.h).
Results analyse(const Scenario& scenario, const Run& run);

}  // namespace railyard
