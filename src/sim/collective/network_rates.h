// What a group's traffic between nodes does to a fabric in steady state: every connection of a pattern busy at once.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>

#include "collective/library.h"
#include "engine/engine.h"
#include "fabric/failures.h"
#include "fabric/placement.h"
#include "plan/scenario.h"
#include "sim/flow_record.h"

namespace railyard {

inline constexpr double kPacketProbe = 16.0 * (1 << 20);  // bytes per GPU that rates are measured with packet by packet

/// Who sends to whom between nodes. A node is a scale-up domain; GPUs of the same place in their nodes are on one rail.
/// An all-to-all stays on its rail and changes GPU inside nodes; all pairs do not.
enum class NetPattern : std::uint8_t { ring, tree, all_to_all, all_pairs, point };

/// What an all-to-all of a library is: it stays on its rails where PXN is on.
inline NetPattern exchange_of(const Scenario& scenario) {
  return scenario.workload.host.pxn ? NetPattern::all_to_all : NetPattern::all_pairs;
}

/// One connection and the share of its node's bytes that it carries.
struct NetEdge {
  EndpointId from, to;
  double share = 0;
};

/// What every NIC still carries, over what it was built for; empty where all do, or where nobody looks.
using NicShares = Table<InterfaceId, double>;

/// The connections of a pattern over `nodes` (sim/collective/group.h), shares by what the busiest node sends. An all-to-all (or
/// all pairs) over many nodes is represented by some of its shifts, chosen evenly. Empty for one node. With `nics` (of a fabric
/// with `per_interface` endpoints at each) what one node sends to another on several rails is split by what both ends still
/// carry.
std::vector<NetEdge> net_edges(NetPattern pattern, const std::vector<std::vector<EndpointId>>& nodes,
                               const NicShares& nics = {}, std::uint32_t per_interface = 1);

/// Where the scenario splits traffic by what NICs have left: that, after all failures that never end.
NicShares nic_shares(const Scenario& scenario, const Fabric& fabric, std::span<const PortChange> failures);

/// Everything an engine needs to carry a pattern.
struct Network {
  const Fabric& fabric;
  const WireFormat& wire;
  const PathPolicy& routing;
  std::optional<FlowOptions> flow = {};  // none: closed forms
  std::span<const PortChange> failures = {};
  FlowSink on_flow = {};
  NicShares nics = {};
  const PacketPlan* packet = nullptr;  // every packet, with switches and NICs set to this
  PacketOptions packet_options = {};
};

/// The engine that a network asks for, its failures known to it.
std::unique_ptr<Engine> make_engine(const Network& network, Telemetry& telemetry);

/// What the busiest node of a double tree over `nodes` sends in an all-reduce, over the buffer: 1 for two, else at most 2.
double tree_load(std::size_t nodes);

/// Time until the last of `bytes` per node has arrived, all connections starting at once; without end if some never does.
Picoseconds carry(const Network& network, std::span<const NetEdge> edges, double bytes, Telemetry& telemetry);

/// Bytes per second that the busiest node sends while a pattern lasts, 256 MiB a GPU: until the last of them has arrived.
/// REQUIRES: two nodes or more.
double rate_of(const Network& network, NetPattern pattern, const std::vector<std::vector<EndpointId>>& nodes);

/// Rates of the patterns that `kind` may use (of point messages: one NIC of each node busy), and the delay of the longest way
/// between two nodes of the group. `exchange`: what an all-to-all is.
struct MeasuredNetwork {
  NetRates rates;
  Picoseconds latency;
  /// What a pattern puts on the fabric, and how much of it the busiest node had sent: everything grows with that.
  struct Probe {
    double bytes = 0;
    Picoseconds time;
    Telemetry telemetry;
  };
  std::map<NetPattern, Probe> probes;
};
MeasuredNetwork measure_network(const Network& network, const std::vector<std::vector<EndpointId>>& nodes, CollectiveKind kind,
                                NetPattern exchange = NetPattern::all_to_all);

}  // namespace railyard
