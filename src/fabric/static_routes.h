// Next hops that somebody has set, as ports of a fabric.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fabric/fabric.h"
#include "plan/routing_plan.h"

namespace railyard {

/// Where switches send packets to a host, over what routing computes. Nothing keeps such routes from forming a loop.
class StaticRoutes {
 public:
  void set(NodeId at, NodeId to, std::vector<PortId> hops) { hops_[{at, to}] = std::move(hops); }

  [[nodiscard]] bool empty() const { return hops_.empty(); }
  /// Equal choices at `at` for what goes to the host `to`; none where nothing was set.
  [[nodiscard]] std::span<const PortId> hops(NodeId at, NodeId to) const {
    const auto found = hops_.find({at, to});
    return found == hops_.end() ? std::span<const PortId>() : found->second;
  }

 private:
  std::map<std::pair<NodeId, NodeId>, std::vector<PortId>> hops_;
};

/// The scenario's [routing.static]. A route to a GPU goes before one to its leaf. Refuses nodes that the fabric does not have,
/// neighbours that are none, and hosts where switches are meant.
Result<StaticRoutes> static_routes(std::span<const StaticRoute> fixed, const Fabric& fabric);

}  // namespace railyard
