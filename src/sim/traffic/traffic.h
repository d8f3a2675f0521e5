// Synthetic traffic: who sends how much to whom, and when.
#pragma once

#include <cstdint>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "base/rng.h"
#include "base/units.h"
#include "fabric/fabric.h"
#include "fabric/placement.h"
#include "plan/packet_plan.h"
#include "plan/scenario.h"

namespace railyard {

/// The longest that traffic may take, in picoseconds: eleven days, a ninth of what fits.
inline constexpr double kLongestTraffic = 1e18;

struct PlannedMessage {
  EndpointId from, to;
  Bytes size;
  Picoseconds start;
  std::uint8_t traffic_class = kDataClass;
  friend bool operator==(const PlannedMessage&, const PlannedMessage&) = default;
};

inline constexpr std::uint64_t kMostTraffic = std::uint64_t{1} << 26;  // messages

/// Hosts of the pattern: those asked for, else the cluster's GPUs, else all there are, but for servers of storage.
std::uint32_t traffic_hosts(const Scenario& scenario, const Fabric& fabric);

/// Those and the servers of storage, which come after them.
std::uint32_t traffic_hosts_needed(const Scenario& scenario, const Fabric& fabric);

/// The messages of a scenario's [traffic], in the order of their starts; host i of a pattern sits where rank i is placed.
///   incast       fan_in hosts send to host 0; all others if it is not given. The leaves take turns, the one after the
///                receiver's first and its own last, and give the host after the receiver's place, then the next; senders_at
///                leaves out the receiver's leaf, or all others
///   permutation  every host sends to one other and receives from one other, drawn at random anew in every round
///   all-to-all   every host sends to every other
///   ring         every host sends to the next
///   uniform      every host sends flows_per_host messages, each to another host drawn at random
///   microburst   every `interval`, fan_in hosts drawn at random send `burst` bytes to another that is drawn, too
///   file         as the file says, counted from `start`
///   none         nothing but what is beside it: checkpoints
/// Patterns come `rounds` times, `interval` apart. Beside any of them hosts send background: each to hosts drawn at random,
/// messages as they come in a Poisson process whose payload is that share of the host's link, in a class of its own, for as
/// long as the busiest host would need for the pattern on the rest of its link.
/// Storage goes between every host of the pattern and servers, which are the hosts after them: in a Poisson process of messages
/// of one size, each to or from a server drawn at random, for as long as background; and as checkpoints, whose messages a host
/// deals to servers in turn, host i beginning with server i.
/// Random streams are named after the pattern and the round, burst or host they are for, so that one does not move another.
/// Refuses fewer than two hosts, more hosts than the fabric has, and more messages than can be played.
/// REQUIRES: a place for every host and server.
Result<std::vector<PlannedMessage>> plan_traffic(const Scenario& scenario, const Fabric& fabric, const Placement& placement);

/// Refuses what plan_traffic() would before hosts are placed: fewer than two, or more than the fabric has.
Diagnostics impossible_hosts(const Scenario& scenario, const Fabric& fabric);

/// What is sure to be sent before anything is drawn: between so many pairs of hosts, in so many messages, or kMostTraffic.
struct LeastTraffic {
  std::uint64_t pairs = 1, messages = 1;
};
LeastTraffic least_traffic(const Scenario& scenario, const Fabric& fabric);

/// Exponential with mean 1, by von Neumann's comparison of uniform numbers: no logarithm, so the same bits on any machine.
double exponential(Rng& rng);

/// Sizes of background messages: between a thousandth of the largest and the largest, every octave with as many bytes as the
/// next (Pareto, shape 1, cut off), and `mean` on average.
Bytes heavy_tailed(Rng& rng, Bytes mean);

}  // namespace railyard
