// What synthetic traffic took, message by message and host by host.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/distribution.h"
#include "analysis/packets/packet_results.h"
#include "analysis/patterns/entropy.h"
#include "analysis/tier_loads.h"
#include "sim/simulate.h"

namespace railyard {

/// Of many values; percentiles are values that occurred (nearest rank). Zero where there are none.
struct TimeSpread {
  double mean = 0, p50 = 0, p99 = 0, max = 0;
};
TimeSpread spread_of(std::vector<double> values);

/// Messages of one class. Times are of those that arrived.
struct FlowTimes {
  std::uint64_t messages = 0, undelivered = 0;
  Bytes delivered;         // payload
  TimeSpread fct_us;       // start to the last ACK at the sender; where an engine knows none, to the delivery
  TimeSpread delivery_us;  // start to the last byte in the receiver's memory
  TimeSpread slowdown;     // start to delivery over the same alone on the fabric
  std::vector<CdfPoint> fct_cdf = {}, slowdown_cdf = {};
};

/// Those of a class that cross as many switches: under one leaf, across leaves, across pods.
struct Distance {
  std::uint32_t switches = 0;
  FlowTimes flows;
};

/// One of the messages that took longest.
struct SlowMessage {
  std::uint32_t from = 0, to = 0;  // GPUs
  Bytes size;
  double start_us = 0, fct_us = 0;
  double ideal_us = 0, slowdown = 0;  // to the delivery: alone on the fabric, and how many times that it took
};

/// Hosts that send with one set of DCQCN's parameters.
struct SenderGroup {
  std::uint32_t hosts = 0, first = 0;  // how many, and the first of them
  FlowTimes flows;                     // of the pattern
  double gbps = 0;                     // of a host: payload over the time in which it sends, the mean of hosts
};

struct TrafficResults {
  std::string pattern;
  std::uint32_t hosts = 0, servers = 0, receivers = 0;  // servers are of storage
  std::uint64_t connections = 0;
  FlowTimes flows;                      // of the pattern
  std::vector<Distance> distances;      // the same by how far they go, nearest first
  std::vector<SlowMessage> slowest;     // of the pattern, the slowest first; ten at most
  std::optional<FlowTimes> background;  // beside it
  std::optional<FlowTimes> storage;     // the same
  double makespan_us = 0;               // first start to last delivery, of the pattern
  double goodput_gbps = 0;              // of the pattern: payload delivered over the makespan, 10^9 bits per second
  TimeSpread receiver_gbps;             // the same of every host that receives any
  double receiver_least_gbps = 0;
  std::vector<SenderGroup> senders;  // where hosts differ in DCQCN: those that have what all have first
  double fairness = 1;               // of those rates of hosts, Jain's index: 1 if all are alike, 1 / n if one has all
  double receivers_line_gbps = 0, receiver_line_gbps = 0;  // what links into all of them carry, and into the fastest
  double receiver_busy = 0;  // share of the watched time for which links into the busiest receiver were busy, headers included
  double memory_bytes = 0;   // that a run with packets was expected to need at most
  std::vector<TierLoad> tiers;                // over the time from first start to last delivery of all; not with packets
  std::vector<MemberLoads> members;           // the same, with packets too: how flows lie on equal links, where switches hash
  std::vector<RailLoad> rails;                // the same: what NICs sent
  std::optional<Telemetry::Solving> solving;  // of the flow engine
  std::optional<PacketResults> packets;
};

/// From the first start to the last delivery of any message; or, if some never arrives, for as long as packets were followed.
TimeWindow watched(const TrafficRun& run);

/// Messages of any origin, without what the scenario says of them.
TrafficResults analyse_messages(const Fabric& fabric, const TrafficRun& traffic);

/// REQUIRES: a run of [traffic].
TrafficResults analyse_traffic(const Scenario& scenario, const Run& run);

}  // namespace railyard
