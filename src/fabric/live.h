// Ports that are down, and the paths that are left.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/routes.h"

namespace railyard {

/// How a switch that hashes or sprays weighs next hops that are left.
enum class NextHopWeights : std::uint8_t {
  equal,  // ECMP
  paths,  // WCMP: by the live paths behind each (docs/models.md, weighted next hops)
};

/// Which ports of a fabric carry traffic, and where they still lead. At first all do, and nothing costs anything.
///
/// Routing withdraws what leads nowhere: a switch uses those of its next hops (routes.h) that are live and from which the
/// destination can be reached by live ports. Paths get no longer in a fabric with tiers: nothing climbs twice. A drawn fabric
/// is measured anew, so that its paths may. Answers are kept until a port changes; not for several threads at once.
/// REQUIRES: the fabric outlives this and does not change.
class LivePorts {
 public:
  /// REQUIRES: weights are equal where the fabric is drawn.
  explicit LivePorts(const Fabric& fabric, NextHopWeights weights = NextHopWeights::equal);

  void set(PortId port, bool live);

  /// The node at a port's near end does not use it any more, or uses it again; nobody else knows of that. A node that has no
  /// other port that leads on keeps using it.
  void withdraw(PortId port, bool withdrawn);

  /// Nothing is down, as far as all know.
  [[nodiscard]] bool all_live() const { return down_count_ == 0; }
  /// Nothing is down, as far as anybody knows.
  [[nodiscard]] bool none_withdrawn() const { return withdrawn_count_ == 0; }
  [[nodiscard]] bool is_live(PortId port) const { return down_.empty() || !down_[port.index()]; }
  /// Ports of a trunk that are down.
  [[nodiscard]] std::uint32_t down_in(TrunkId trunk) const { return down_in_.empty() ? 0 : down_in_[trunk]; }

  /// Whether all ports that a message could take are live, as far as that is seen at a glance: then it finds its path as if all
  /// were.
  [[nodiscard]] bool spares(EndpointId from, EndpointId to) const;

  /// Whether a message from one endpoint reaches another. REQUIRES: from != to.
  [[nodiscard]] bool connects(EndpointId from, EndpointId to) const;

  /// Whether live ports lead from a node of the network to an endpoint.
  [[nodiscard]] bool reaches(NodeId at, EndpointId to) const;

  /// A number that destinations share which the same switches lead to, until a port changes. REQUIRES: not all are live, and
  /// the fabric is no drawing.
  [[nodiscard]] std::uint32_t alike(EndpointId to) const;

  /// The ports of `next_hops` that are live and lead on, in their order, each as often as it weighs. Empty at the destination
  /// and where nothing does. Valid until the next call.
  [[nodiscard]] const std::vector<PortId>& hops(NodeId at, EndpointId to) const;

  /// The ports to the leaf and back between GPUs that share a NIC, the first that are live.
  [[nodiscard]] std::optional<std::pair<PortId, PortId>> turn_at_leaf(InterfaceId nic) const;

 private:
  /// What is known of the switches on the way to destinations that are alike: those under one leaf that the same switches of
  /// it lead to.
  struct Reach {
    std::vector<bool> known, reached;  // by switch
    std::vector<std::uint64_t> paths;  // by switch, with weights; 0 if not asked for
  };

  void forget() const;
  [[nodiscard]] Reach& reach_of(EndpointId to) const { return reaches_[row_of(to)]; }
  [[nodiscard]] std::uint32_t row_of(EndpointId to) const;
  /// Of a drawn fabric: hops over live ports from every node to an endpoint.
  [[nodiscard]] const std::vector<std::uint32_t>& distances(EndpointId to) const;
  [[nodiscard]] bool scale_up_connects(EndpointId from, EndpointId to) const;

  const Fabric* fabric_;
  [[nodiscard]] bool is_withdrawn(PortId port) const { return withdrawn_count_ > 0 && withdrawn_[port.index()]; }
  /// Takes what is withdrawn out of `hops_`, unless that is everything.
  void leave_out_withdrawn() const;
  /// Live paths from a switch to the leaf of an endpoint. REQUIRES: the switch reaches it.
  [[nodiscard]] std::uint64_t paths_from(NodeId at, EndpointId to) const;
  /// Repeats each of `hops_` by the paths behind it.
  void weigh(EndpointId to) const;

  NextHopWeights weights_;
  std::uint32_t down_count_ = 0, withdrawn_count_ = 0;
  std::vector<bool> withdrawn_;  // by port; empty as long as none ever was
  std::vector<bool> down_;       // by port; empty as long as none was ever down
  Table<TrunkId, std::uint32_t> down_in_;

  // Answers, kept until a port changes.
  mutable bool stale_ = true;
  mutable std::vector<Reach> reaches_;
  mutable std::map<std::pair<BlockId, std::uint64_t>, std::uint32_t> alike_;  // leaf and its switches that lead on, to a row
  mutable std::vector<std::uint32_t> row_;                                    // by interface
  mutable std::vector<std::vector<std::uint32_t>> distances_;                 // by endpoint; empty if not asked for
  mutable std::vector<PortId> hops_, weighed_;
  mutable std::vector<std::uint64_t> weight_;  // by hop
};

/// What the live ports of a trunk carry together.
BitsPerSecond live_rate(const Fabric& fabric, const LivePorts& live, TrunkId trunk);

}  // namespace railyard
