// The physical network, fixed once built: nodes, ports, trunks, and the ways through it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/id.h"
#include "base/units.h"
#include "scenario/scenario.h"

namespace railyard {

enum class NodeKind : std::uint8_t { host, leaf, spine };
std::string_view name_of(NodeKind kind);

/// Where a trunk lies on the way from host to host.
enum class Tier : std::uint8_t { host_up, leaf_up, leaf_down, host_down };
inline constexpr std::size_t kTiers = 4;
/// "leaf to spine"; a star has one switch and no leaves.
std::string_view name_of(Tier tier, Topology topology);

/// The trunks a message crosses, first to last.
class TrunkPath {
 public:
  static constexpr std::size_t kLongest = 8;
  void push(TrunkId trunk) {
    RY_CHECK(size_ < kLongest, "no shortest path is longer than eight trunks");
    trunks_[size_++] = trunk;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] TrunkId operator[](std::size_t i) const { return trunks_[i]; }
  [[nodiscard]] const TrunkId* begin() const { return trunks_.data(); }
  [[nodiscard]] const TrunkId* end() const { return trunks_.data() + size_; }

 private:
  std::array<TrunkId, kLongest> trunks_{};
  std::uint8_t size_ = 0;
};

/// A port is one direction of one link, so a full-duplex cable between two nodes is two ports.
/// A trunk is a set of ports that are equal choices for the same traffic: all uplinks of a leaf, all spine ports towards a
/// leaf, or a single host link. Every port lies in exactly one trunk; ports of one trunk have one rate and one delay, and their
/// ids are neighbours.
struct Fabric {
  Topology topology = Topology::star;
  Switching switching = Switching::cut_through;
  Picoseconds host_latency;  // at either end of a message

  Table<NodeId, NodeKind> kind;

  Table<PortId, NodeId> port_from;
  Table<PortId, NodeId> port_to;
  Table<PortId, TrunkId> port_trunk;

  Table<TrunkId, Tier> trunk_tier;
  Table<TrunkId, IdRange<PortId>> trunk_ports;
  Table<TrunkId, BitsPerSecond> trunk_port_rate;  // of each port
  Table<TrunkId, Picoseconds> trunk_delay;        // propagation, plus the latency of the switch at the far end

  Table<EndpointId, NodeId> endpoint_node;

  /// Shape of a leaf-spine fabric; a star is one leaf without spines.
  std::uint32_t hosts_per_leaf = 0, leaves = 0, spines = 0, links_per_spine = 0;

  [[nodiscard]] std::uint32_t endpoints() const { return static_cast<std::uint32_t>(endpoint_node.size()); }
  [[nodiscard]] std::uint32_t leaf_of(EndpointId endpoint) const { return endpoint.index() / hosts_per_leaf; }
  [[nodiscard]] BitsPerSecond trunk_rate(TrunkId trunk) const { return trunk_port_rate[trunk] * trunk_ports[trunk].size(); }
};

/// All uplinks of a leaf, and all spine ports towards it. REQUIRES: there are spines.
TrunkId leaf_up_trunk(const Fabric& fabric, std::uint32_t leaf);
TrunkId leaf_down_trunk(const Fabric& fabric, std::uint32_t leaf);

/// The ports at `at` that lie on a shortest path to `to`, computed from the fabric's structure. Empty at the destination.
IdRange<PortId> next_hops(const Fabric& fabric, NodeId at, EndpointId to);

/// The same way seen trunk by trunk. REQUIRES: from != to.
TrunkPath trunk_path(const Fabric& fabric, EndpointId from, EndpointId to);

}  // namespace railyard
