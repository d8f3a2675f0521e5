// The paths through a fabric, computed from its structure.
#pragma once

#include <vector>

#include "fabric/fabric.h"

namespace railyard {

class LivePorts;

/// Ports that are equal choices for the next hop.
class Hops {
 public:
  void add(IdRange<PortId> range) {
    if (range.empty()) return;
    if (first_.empty())
      first_ = range;
    else
      more_.push_back(range);
    size_ += range.size();
  }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] PortId operator[](std::uint32_t i) const;

 private:
  IdRange<PortId> first_;
  std::vector<IdRange<PortId>> more_;  // drawn fabrics only
  std::uint32_t size_ = 0;
};

/// The ports at `at` that lie on a shortest path to `to`. Empty at the destination, and at switches of a rail that does not
/// lead there. REQUIRES: if the fabric is drawn, there is a path.
Hops next_hops(const Fabric& fabric, NodeId at, EndpointId to);
/// The same where they are neighbours. REQUIRES: the fabric is not drawn, and `at` is not the destination.
IdRange<PortId> next_ports(const Fabric& fabric, NodeId at, EndpointId to);

/// A trunk on the way, and the share of a message that crosses it if equal paths share perfectly.
struct TrunkShare {
  TrunkId trunk;
  std::uint32_t hop = 0;  // trunks of one hop are taken at the same time
  double share = 1;       // below 1 in drawn fabrics only
};
using TrunkPath = std::vector<TrunkShare>;

/// From end to end, first hop to last, appended to `path`. REQUIRES: from != to.
void find_path(const Fabric& fabric, EndpointId from, EndpointId to, TrunkPath& path);
/// The same over live ports (live.h); nothing if there is no way. In a drawn fabric shares of a message move to other links; in
/// others trunks stay what they are, and `live_rate` says what is left of them.
void find_path(const Fabric& fabric, const LivePorts& live, EndpointId from, EndpointId to, TrunkPath& path);
TrunkPath path_of(const Fabric& fabric, EndpointId from, EndpointId to);

/// A GPU of the sender's domain that the message is handed to first, because only its rail leads to the destination: `from`
/// itself where no detour is needed.
EndpointId relay_of(const Fabric& fabric, EndpointId from, EndpointId to);

/// The trunks that leave an endpoint inside its scale-up domain. REQUIRES: there is one.
std::vector<TrunkId> scale_up_trunks(const Fabric& fabric, EndpointId from);

/// From the scale-up switch to an endpoint. REQUIRES: there is one.
TrunkId scale_down_trunk(const Fabric& fabric, EndpointId to);

/// Whether two endpoints reach each other without the scale-out network.
bool share_domain(const Fabric& fabric, EndpointId a, EndpointId b);

/// Delays of the path one after the other: what the first bit of a message needs, at most and at least where a drawing has
/// unlike links in one hop.
Picoseconds delay_of(const Fabric& fabric, const TrunkPath& path);
Picoseconds least_delay_of(const Fabric& fabric, const TrunkPath& path);

}  // namespace railyard
