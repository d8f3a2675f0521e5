// The physical network, fixed once built: nodes, ports, trunks, and the structure that routing is computed from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/csr.h"
#include "base/id.h"
#include "base/units.h"
#include "plan/choices.h"

namespace railyard {

enum class NodeKind : std::uint8_t { host, leaf, spine, core, gateway, scale_up };
inline constexpr std::size_t kNodeKinds = 6;
std::string_view name_of(NodeKind kind);
/// Of the network: hosts and scale-up switches are none.
constexpr bool is_switch(NodeKind kind) { return kind != NodeKind::host && kind != NodeKind::scale_up; }

/// Where a trunk lies, in the order a message meets them.
enum class Tier : std::uint8_t {
  host_up,
  leaf_up,
  spine_up,
  across,  // between switches of one tier: optical circuits, links of a drawn fabric
  spine_down,
  leaf_down,
  host_down,
  scale_up,    // from a GPU to its scale-up switch, or to another GPU of its domain
  scale_down,  // from a scale-up switch to a GPU
};
inline constexpr std::size_t kTiers = 9;
constexpr bool is_scale_up(Tier tier) { return tier == Tier::scale_up || tier == Tier::scale_down; }
/// "leaf to spine"; a star has one switch and no leaves.
std::string_view name_of(Tier tier, Topology topology);

/// Switches that serve the same hosts: a leaf, a pair of ToRs, the spines of a pod, all cores. Blocks form a tree (or several);
/// a message climbs from its host's block to the first one it shares with its destination, and comes down again.
/// Wiring to the parent block: switches of both are dealt to `planes`; inside a plane every switch has `links` parallel links
/// to every switch of the parent. One plane is a full mesh; as many as there are spines gives the columns of a fat tree.
struct Block {
  NodeKind kind = NodeKind::leaf;
  NodeId first;
  std::uint32_t width = 1;  // switches
  BlockId parent;           // none at the top
  std::uint32_t planes = 1, links = 1;
  TrunkId up, down;  // to the parent and from it
};

/// Direct links between two blocks without a parent: the same number from each switch of one to its counterpart in the other.
struct CircuitBundle {
  BlockId a, b;
  std::uint32_t per_switch = 1;
  TrunkId there, back;  // a to b, b to a
};

/// Ways in which circuits join pods, one after the other, where they change while a step runs: as its passes want them, as its
/// gradients do, and what stays lit as they change.
enum class CircuitWay : std::uint8_t { passes, gradients, between };
inline constexpr std::size_t kCircuitWays = 3;

/// One of them: how many circuits of every bundle are lit, and where to go over those.
struct LitCircuits {
  std::vector<std::uint32_t> per_switch;             // by bundle; the first ones of each switch
  std::vector<std::vector<std::uint32_t>> next_pod;  // as Fabric::next_pod
};

/// GPUs that reach each other without the scale-out network.
struct ScaleUp {
  std::uint32_t domain = 1;
  ScaleUpWiring wiring = ScaleUpWiring::switched;
  TrunkId first;        // of its trunks
  NodeId first_switch;  // of its switches, one a domain
};

/// A fabric drawn by hand has no structure to compute from: how far its switches are from its endpoints is stored.
struct DrawnRoutes {
  Csr<NodeId, TrunkId> from;           // trunks that leave a node
  std::vector<std::uint8_t> distance;  // hops from a switch to an endpoint, a row per switch
  std::uint32_t endpoints = 0;         // nodes before the first switch
  static constexpr std::uint8_t kUnreachable = 255;

  /// REQUIRES: `node` is a switch.
  [[nodiscard]] std::uint8_t hops(NodeId node, EndpointId endpoint) const {
    return distance[std::size_t{node.index() - endpoints} * endpoints + endpoint.index()];
  }
};

/// A port is one direction of one link, so a full-duplex cable between two nodes is two ports.
/// A trunk is a set of ports that an ideal balancer would use alike for the same traffic: all uplinks of a block, all ports
/// of its parent towards it, the ports of a NIC. Every port lies in exactly one trunk; ports of one trunk have one rate and
/// one delay, and their ids are neighbours.
struct Fabric {
  Topology topology = Topology::star;
  Switching switching = Switching::cut_through;
  Picoseconds credit_delay;  // where it is scheduled: what the scheduler adds to the way to it and back
  Picoseconds host_latency;  // at either end of a message; part of the delay of host trunks

  Table<NodeId, NodeKind> kind;

  Table<PortId, NodeId> port_from;
  Table<PortId, NodeId> port_to;
  Table<PortId, TrunkId> port_trunk;

  Table<TrunkId, Tier> trunk_tier;
  Table<TrunkId, IdRange<PortId>> trunk_ports;
  Table<TrunkId, BitsPerSecond> trunk_port_rate;  // of each port
  Table<TrunkId, Picoseconds> trunk_delay;        // propagation, plus the latency of the node at the far end
  Table<TrunkId, Picoseconds> trunk_cable;        // propagation alone

  std::uint32_t gpus = 0, interfaces = 0;  // the latter without those of servers themselves
  std::uint32_t per_interface = 1;         // endpoints
  std::uint32_t per_node = 1;              // endpoints of a server
  std::uint32_t host_nics = 0;             // interfaces of servers themselves, after the others
  std::uint32_t rails = 1;                 // interfaces of a server that go to leaves of their own
  Table<InterfaceId, BlockId> leaf;
  Table<InterfaceId, std::uint32_t> nth;  // their order by pod and leaf; none in a drawing
  BlockId island;                         // of a hybrid fabric, the first block of its second part
  Table<BlockId, Block> blocks;
  Table<NodeId, BlockId> block_of;  // none for hosts and scale-up switches
  std::vector<CircuitBundle> circuits;
  std::vector<std::vector<std::uint32_t>> next_pod;  // by index of top block: where to go from one to reach another
  std::vector<BlockId> pods;                         // the blocks that circuits join
  std::vector<LitCircuits> ways;                     // by CircuitWay, where circuits change; next_pod is that of one of them
  ScaleUp scale_up;
  std::optional<DrawnRoutes> drawn;
  std::vector<std::string> names;  // of nodes, where a drawing names them

  [[nodiscard]] std::uint32_t endpoints() const { return gpus; }
  [[nodiscard]] InterfaceId interface_of(EndpointId endpoint) const { return InterfaceId(endpoint.index() / per_interface); }
  /// The node a message starts from and ends at: the GPU with its NIC, or the NIC with its GPUs.
  [[nodiscard]] NodeId node_of(EndpointId endpoint) const { return NodeId(endpoint.index() / per_interface); }
  [[nodiscard]] std::uint32_t server_of(EndpointId endpoint) const { return endpoint.index() / per_node; }
  [[nodiscard]] std::uint32_t domain_of(EndpointId endpoint) const { return endpoint.index() / scale_up.domain; }
  [[nodiscard]] BlockId leaf_of(EndpointId endpoint) const { return leaf[interface_of(endpoint)]; }
  /// The block at the top of what hangs together below the last tier: its pod; a fabric of two tiers is one.
  [[nodiscard]] BlockId pod_of(EndpointId endpoint) const;
  [[nodiscard]] std::uint32_t count(NodeKind wanted) const;
  [[nodiscard]] std::uint32_t blocks_of(NodeKind wanted) const;
  [[nodiscard]] BitsPerSecond trunk_rate(TrunkId trunk) const { return trunk_port_rate[trunk] * trunk_ports[trunk].size(); }
};

/// What circuits carry at a time, of both directions: where they change, the most of any way. REQUIRES: the fabric has some.
BitsPerSecond rate_of_circuits(const Fabric& fabric);

/// Its number among the nodes of its kind, and what people call it: as a drawing does, or "leaf 3".
std::uint32_t number_of(const Fabric& fabric, NodeId node);
std::string node_name(const Fabric& fabric, NodeId node, std::uint32_t number);

/// The trunks between an interface and its leaf.
TrunkId host_up_trunk(const Fabric& fabric, InterfaceId interface);
TrunkId host_down_trunk(const Fabric& fabric, InterfaceId interface);

/// The other direction of the same link. REQUIRES: a link of the network, or of a drawing.
PortId reverse_of(const Fabric& fabric, PortId port);

}  // namespace railyard
