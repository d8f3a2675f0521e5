#include "fabric/static_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/nearest.h"

namespace railyard {

namespace {

class StaticRouteResolver {
 public:
  explicit StaticRouteResolver(const Fabric& fabric) : f_(fabric) {
    Table<NodeId, std::uint32_t> number(fabric.kind.size());
    std::array<std::uint32_t, kNodeKinds> seen = {};
    for (const NodeId node : ids(fabric.kind)) {
      number[node] = seen[static_cast<std::size_t>(fabric.kind[node])]++;
      if (fabric.kind[node] == NodeKind::scale_up) continue;
      if (fabric.drawn || fabric.kind[node] != NodeKind::host) by_name_[node_name(fabric, node, number[node])] = node;
    }
    if (fabric.drawn) return;
    for (std::uint32_t gpu = 0; gpu < fabric.endpoints(); gpu++)
      by_name_[fmt::format("gpu {}", gpu)] = fabric.node_of(EndpointId(gpu));
  }

  void add(const StaticRoute& route, StaticRoutes& routes) {
    const std::optional<NodeId> at = switch_called(route, route.at), via = switch_called(route, route.via);
    const std::optional<NodeId> to = node_called(route, route.to);
    if (!at || !via || !to) return;
    std::vector<PortId> hops;
    for (const PortId port : ids(f_.port_from))
      if (f_.port_from[port] == *at && f_.port_to[port] == *via) hops.push_back(port);
    if (hops.empty()) {
      std::vector<std::string> near;
      for (const auto& [name, node] : by_name_)
        if (f_.kind[node] != NodeKind::host && joins(*at, node) && near.size() < kMostNamed) near.push_back(name);
      return refuse(route, fmt::format("no link goes from {} to {}", route.at, route.via),
                    fmt::format("name one of its neighbours, such as {}", fmt::join(near, ", ")));
    }
    if (f_.kind[*to] == NodeKind::host) return routes.set(*at, *to, std::move(hops));
    for (std::uint32_t i = 0; i < f_.endpoints(); i++) {
      const EndpointId gpu(i);
      if (!f_.drawn && f_.leaf_of(gpu) == f_.block_of[*to]) routes.set(*at, f_.node_of(gpu), hops);
    }
  }

  /// A GPU is more particular than the leaf above it.
  [[nodiscard]] bool is_particular(const StaticRoute& route) const {
    const auto entry = by_name_.find(route.to);
    return entry != by_name_.end() && f_.kind[entry->second] == NodeKind::host;
  }

  Diagnostics found;

 private:
  static constexpr std::size_t kMostNamed = 4;

  [[nodiscard]] bool joins(NodeId a, NodeId b) const {
    for (const PortId port : ids(f_.port_from))
      if (f_.port_from[port] == a && f_.port_to[port] == b) return true;
    return false;
  }

  void refuse(const StaticRoute& route, std::string message, std::string hint) {
    found.push_back({Severity::error, "RY-FAB-020", std::move(message), std::move(hint), route.where});
  }

  std::optional<NodeId> node_called(const StaticRoute& route, const std::string& name) {
    const auto entry = by_name_.find(name);
    const bool is_other = entry != by_name_.end() && !f_.drawn && f_.kind[entry->second] != NodeKind::host &&
                          f_.kind[entry->second] != NodeKind::leaf;
    const bool is_drawn_switch = entry != by_name_.end() && f_.drawn && f_.kind[entry->second] != NodeKind::host;
    if (is_other || is_drawn_switch) {
      refuse(route, fmt::format("\"{}\" is not a destination", printable(name)),
             f_.drawn ? "name a GPU of the drawing" : "name a gpu, or a leaf for all under it");
      return std::nullopt;
    }
    if (entry != by_name_.end()) return entry->second;
    return no_such(route, name), std::nullopt;
  }

  std::optional<NodeId> switch_called(const StaticRoute& route, const std::string& name) {
    const auto entry = by_name_.find(name);
    if (entry == by_name_.end()) return no_such(route, name), std::nullopt;
    if (f_.kind[entry->second] != NodeKind::host) return entry->second;
    refuse(route, fmt::format("{} is not a switch", name), "a static route is set at a switch and its next hop is a switch");
    return std::nullopt;
  }

  void no_such(const StaticRoute& route, const std::string& name) {
    std::vector<std::string> names;
    for (const auto& [known, node] : by_name_) names.push_back(known);
    const std::string guess = nearest(name, names);
    refuse(route, fmt::format("the fabric has no \"{}\"", printable(name)),
           guess.empty() ? (f_.drawn ? "use a name of the drawing" : "write for instance \"leaf 3\", \"spine 1\" or \"gpu 5\"")
                         : fmt::format("did you mean \"{}\"?", guess));
  }

  const Fabric& f_;
  std::map<std::string, NodeId> by_name_;
};

}  // namespace

Result<StaticRoutes> static_routes(std::span<const StaticRoute> fixed, const Fabric& fabric) {
  StaticRoutes routes;
  if (fixed.empty()) return routes;
  StaticRouteResolver resolver(fabric);
  for (const bool particular : {false, true})
    for (const StaticRoute& route : fixed)
      if (resolver.is_particular(route) == particular) resolver.add(route, routes);
  if (!resolver.found.empty()) {
    sort_by_location(resolver.found);
    return std::move(resolver.found);
  }
  return routes;
}

}  // namespace railyard
