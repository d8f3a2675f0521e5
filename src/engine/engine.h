// The one polymorphic interface of the house: something that moves messages across a fabric.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/id.h"
#include "base/progress.h"
#include "base/units.h"
#include "engine/wire.h"
#include "fabric/ecmp.h"
#include "fabric/fabric.h"
#include "fabric/failures.h"
#include "plan/packet_plan.h"
#include "telemetry/telemetry.h"

namespace railyard {

class PacketTap;

/// Which of all queue pairs of its NIC, at either end, is the first of a connection: what hashes see of it.
struct QpIndices {
  std::uint32_t local = 0, remote = 0;
};

/// A connection between two endpoints; the engine's routing says how many queue pairs carry it. Its messages are delivered in
/// the order posted.
struct QueuePair {
  EndpointId from;
  EndpointId to;
  std::uint8_t traffic_class = kDataClass;   // of its packets; flows and closed forms know none
  std::optional<QpIndices> qp_indices = {};  // packets alone; counted through as connections are opened if not given
  bool beside = false;                       // by the second transport, PacketOptions::beside
};

/// One sender and one receiver of a bundle, and what passes between them over what the bundle's busiest edge carries.
struct Edge {
  EndpointId from;
  EndpointId to;
  double share = 1;
};

/// One trunk that a bundle crosses where switches compute, and the same.
struct Hop {
  TrunkId trunk;
  double share = 1;
};

/// How the packets of a bundle travel: their class, and whether by the second transport, PacketOptions::beside.
struct PacketLane {
  std::uint8_t traffic_class = kDataClass;
  bool beside = false;
};

/// Everything a collective has on the wire at once: edges that start together and carry bytes in fixed proportion. Edges of one
/// flow wait for each other, as the ranks of a ring do, and advance at the pace of the slowest; flows do not. Where switches
/// compute, hops take the place of edges; how long a message takes through all of them is for the caller to add.
struct Bundle {
  std::vector<Edge> edges = {};
  std::vector<Hop> hops = {};
  std::vector<std::uint32_t> flow_ends = {};  // past the last edge of each; empty: every edge is a flow of its own
  std::uint8_t priority = 0;                  // traffic class: 0 is served first
  std::optional<PacketLane> lane = {};        // packets alone; by the priority if not given
};

struct Message {
  MessageId id;  // the caller's; unique among those in flight
  QpId qp;
  Bytes size;  // payload; of a bundle, what its busiest edge carries
};

struct Completion {
  MessageId id;
  Picoseconds at;  // the last byte is in the receiver's memory
};

/// What a switch of the network that computes needs beside its own latency before it hands a result on. Assumed: SHARP adds up
/// 8 bytes of 128 hosts in 2.8 us (Graham et al. 2016), which leaves about this much to each of three switches.
inline constexpr Picoseconds kReducerLatency = 100_ns;

/// Of a hop: that, if a switch of the network begins it.
inline Picoseconds reducer_latency(const Fabric& fabric, TrunkId hop) {
  const Tier tier = fabric.trunk_tier[hop];
  const bool computes = tier != Tier::host_up && tier != Tier::scale_up && tier != Tier::scale_down;
  return computes ? kReducerLatency : Picoseconds::zero();
}

/// Whether messages get in each other's way. None: every connection has the network to itself, for comparison.
enum class Sharing : std::uint8_t { fair, none };

/// Moves messages across a fabric. Analytic, flow and packet engines differ in fidelity and cost only.
///
/// Time never runs backwards and never waits for the caller: the caller posts work at or after now(), then calls advance(),
/// which stops at the first instant at which something completes. One virtual call therefore covers everything between two
/// completions. Not thread-safe; independent engines may run on independent threads.
class Engine {
 public:
  virtual ~Engine() = default;

  /// REQUIRES: from != to.
  virtual QpId open(const QueuePair& qp) = 0;

  /// Between a node and its neighbour across one trunk: for switches that compute.
  virtual QpId open(TrunkId hop) = 0;

  /// Messages of a bundle go over all of its edges and are delivered when the last edge is done.
  /// REQUIRES: there are edges or hops, which flows alone carry; no edge has equal ends, and shares lie in (0, 1].
  virtual QpId open(const Bundle& bundle) = 0;

  /// REQUIRES: at >= now(), and not before an earlier post. All messages of one call start at the same instant.
  virtual void post(std::span<const Message> messages, Picoseconds at) = 0;

  /// The same for a message of a bundle over whose edges every rank sends `steps` times, each time what the last one brought.
  /// Engines that know no pieces of messages take it for one stream.
  virtual void post_in_steps(const Message& message, [[maybe_unused]] std::uint32_t steps, Picoseconds at) {
    post({&message, 1}, at);
  }

  /// Runs to the first completion instant or to `until`, whichever is earlier, and returns that time.
  /// Appends every completion of that instant to `done`, ordered by MessageId.
  virtual Picoseconds advance(Picoseconds until, std::vector<Completion>& done) = 0;

  /// From `at` on the port runs at `rate`; zero means down, and traffic takes other ways where there are some.
  /// REQUIRES: at >= now(), and nothing was posted for a later time. Packets know all failures before they start.
  virtual void set_rate(PortId port, BitsPerSecond rate, Picoseconds at) = 0;

  [[nodiscard]] virtual Picoseconds now() const = 0;

  /// Back to time zero with all connections as they are and every port as built; telemetry goes on.
  virtual void rewind(Sharing sharing) = 0;

  /// Adds to the telemetry what is only summed up once everything is delivered. Call it once, at the end.
  virtual void finish() = 0;
};

/// Closed forms and fair shares of what messages meet on; see analytic/analytic_engine.cpp. Fabric and telemetry must outlive
/// the engine. `merge_after` as for flows, below.
std::unique_ptr<Engine> make_analytic_engine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing,
                                             Telemetry& telemetry, std::optional<std::uint64_t> merge_after = {});

/// How closely the flow engine looks.
struct FlowOptions {
  bool exact = true;            // every completion is an event; else bundles advance as one, and completions are merged
  Picoseconds quantum = 10_us;  // within which they are
  bool cache = true;            // equal sets of flows are solved once
  double efficiency = 1;        // of a port's rate, that congestion control lets flows use
  std::optional<BitsPerSecond> cap = {};          // that no flow exceeds: PCIe, a rate limiter
  std::optional<Bytes> window = {};               // payload that a flow has in flight at most
  std::optional<std::uint64_t> merge_after = {};  // work, unless as usual (rates/merged_changes.h)
};

/// Messages as fluid flows with max-min fair rates; see flow/flow_engine.cpp. Fabric and telemetry must outlive the engine.
std::unique_ptr<Engine> make_flow_engine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing,
                                         const FlowOptions& options, Telemetry& telemetry);

/// Limits of the packet engine: ports of a switch, packets of a queue pair, and time that is simulated. What is under way then
/// never arrives.
inline constexpr std::uint32_t kMostPacketPorts = 16'000, kMostScheduledPorts = 10'000;
inline constexpr std::uint64_t kMostPacketsOfQueuePair = (std::uint64_t{1} << 32) - 2;
inline constexpr Picoseconds kLongestPacketRun = 550'000'000_us;

/// A second transport, with a window, that hosts have on the same NICs: for queue pairs that say so. Switches know of it by
/// the class of its packets alone.
struct TransportBeside {
  WireFormat wire;
  NicPlan nic;
  ControlPlan control;
  bool reads_marks = false;  // switches mark its packets; else they leave them as they are
  EcnPlan ecn;
  std::optional<std::uint8_t> marked_class = {};  // whose queue marks by `ecn`, unless devices have a QoS of their own

  friend bool operator==(const TransportBeside&, const TransportBeside&) = default;
};

/// How the packet engine is run; results do not depend on the number of threads.
struct PacketOptions {
  unsigned threads = 1;
  bool all_posted = false;     // everything is posted before the first advance: the engine need not stop for the caller
  bool reduces = false;        // switches of the network compute: connections may end at them
  bool keeps_messages = true;  // the telemetry has every message; else their number, and how long they took
  std::vector<BitsPerSecond> taken = {};  // by port: what others use of it all the time, less than its rate; empty: nothing
  std::vector<PortChange> failures = {};  // by time; what has failed at the start has been routed around
  std::optional<TransportBeside> beside = {};
  const Progress* watched = nullptr;  // of whoever waits: where that was cancelled, advance() throws Cancelled
  PacketTap* tap = nullptr;           // told of frames, if given; must outlive the engine
};

/// The longest span in which nothing that one switch or NIC does reaches a switch: how far the packet engine simulates each of
/// them by itself. Zero where links and switches take no time. What switches do to hosts needs no such span.
struct PacketLookahead {
  Picoseconds span;
  bool is_pause = false;  // pause frames are the quickest, not packets
};
PacketLookahead packet_lookahead(const Fabric& fabric, const PacketPlan& plan);

/// Every packet, with queues, pauses and congestion control; see packet/packet_engine.cpp. Fills `telemetry.packets`. Fabric
/// and telemetry must outlive the engine. REQUIRES: packet_lookahead is not zero and, unless all is posted, the fabric has a
/// host latency; beside a second transport the first has rates and no credits.
std::unique_ptr<Engine> make_packet_engine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing,
                                           const PacketPlan& plan, const PacketOptions& options, Telemetry& telemetry);

}  // namespace railyard
