#include "engine/qos_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace railyard {

namespace {

DeviceTier tier_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::host:
      return DeviceTier::nic;
    case NodeKind::leaf:
      return DeviceTier::leaf;
    case NodeKind::spine:
      return DeviceTier::spine;
    case NodeKind::core:
      return DeviceTier::core;
    case NodeKind::gateway:
    case NodeKind::scale_up:
      break;
  }
  return DeviceTier::other;
}

/// Nothing if the fabric does not have it.
std::optional<NodeId> node_of(const QosPlan::Single& single, const Fabric& fabric) {
  if (!single.name.empty()) {
    const auto found = std::find(fabric.names.begin(), fabric.names.end(), single.name);
    if (found == fabric.names.end()) return std::nullopt;
    return NodeId(static_cast<std::uint32_t>(found - fabric.names.begin()));
  }
  if (single.tier == DeviceTier::nic) {
    if (single.index >= fabric.endpoints()) return std::nullopt;
    return fabric.node_of(EndpointId(single.index));
  }
  std::uint32_t count = 0;
  for (const NodeId node : ids(fabric.kind))
    if (tier_of(fabric.kind[node]) == single.tier && count++ == single.index) return node;
  return std::nullopt;
}

std::string name_of(const QosPlan::Single& single) {
  static constexpr std::string_view kNames[kDeviceTiers] = {"host", "leaf", "spine", "core", "gateway"};
  if (!single.name.empty()) return fmt::format("node {}", single.name);
  return fmt::format("{} {}", kNames[static_cast<std::size_t>(single.tier)], single.index);
}

QosPlan::Single device_of(const QosPlan::OwnPorts& own) { return {own.tier, own.index, own.name, own.profile, own.where}; }

/// Calls `use` for every port of a node that is meant. A switch counts its ports in the order of the fabric.
template<class Use>
void each_port_of(const QosPlan::OwnPorts& own, NodeId node, const Fabric& fabric, const Use& use) {
  std::vector<char> meant(fabric.kind.size());
  for (std::uint32_t index = own.first; own.to && index <= own.last; index++)
    if (const auto neighbour = node_of({*own.to, index, own.to_name, 0, {}}, fabric)) meant[neighbour->index()] = 1;
  std::uint32_t number = 0;
  for (const PortId port : ids(fabric.port_from)) {
    if (fabric.port_from[port] != node || is_scale_up(fabric.trunk_tier[fabric.port_trunk[port]])) continue;
    const bool is_meant = own.to ? meant[fabric.port_to[port].index()] != 0 : number >= own.first && number <= own.last;
    if (is_meant) use(port);
    number++;
  }
}

std::string ports_text(const QosPlan::OwnPorts& own) {
  if (own.to) return fmt::format("port to {}", name_of({*own.to, own.first, own.to_name, 0, {}}));
  return fmt::format("port {}", own.first);
}

std::string hint_for(const QosPlan::Single& single, const Fabric& fabric) {
  if (!single.name.empty() || fabric.drawn) return "use \"host 3\", or the name of a switch of the drawing, \"node s1\"";
  const auto tier_is = [&](NodeKind kind) { return tier_of(kind) == single.tier; };
  const auto count = single.tier == DeviceTier::nic ? static_cast<std::ptrdiff_t>(fabric.endpoints())
                                                    : std::count_if(fabric.kind.begin(), fabric.kind.end(), tier_is);
  if (count == 0) return "remove it, or use a fabric that has some";
  return count == 1 ? "use 0" : fmt::format("use 0 to {}", count - 1);
}

}  // namespace

std::vector<std::uint32_t> profiles_by_node(const QosPlan& plan, const Fabric& fabric) {
  std::vector<std::uint32_t> profiles;
  for (const NodeKind kind : fabric.kind) profiles.push_back(plan.of_tier[static_cast<std::size_t>(tier_of(kind))]);
  for (const QosPlan::Single& single : plan.singles)
    if (const std::optional<NodeId> node = node_of(single, fabric)) profiles[node->index()] = single.profile;
  return profiles;
}

std::vector<std::uint32_t> profiles_by_port(const QosPlan& plan, const Fabric& fabric) {
  const std::vector<std::uint32_t> by_node = profiles_by_node(plan, fabric);
  std::vector<std::uint32_t> profiles;
  for (const NodeId node : fabric.port_from) profiles.push_back(by_node[node.index()]);
  for (const QosPlan::OwnPorts& own : plan.own_ports)
    if (const std::optional<NodeId> node = node_of(device_of(own), fabric))
      each_port_of(own, *node, fabric, [&](PortId port) { profiles[port.index()] = own.profile; });
  return profiles;
}

Diagnostics missing_devices(const QosPlan& plan, const Fabric& fabric) {
  Diagnostics found;
  const auto miss = [&](const QosPlan::Single& single) {  // a range is one mistake
    const bool is_told = single.where.line > 0 && std::any_of(found.begin(), found.end(),
                                                              [&](const Diagnostic& one) { return one.where == single.where; });
    if (is_told || node_of(single, fabric)) return;
    found.push_back({Severity::error, "RY-FAB-018", fmt::format("[qos.devices]: there is no {}", name_of(single)),
                     hint_for(single, fabric), single.where});
  };
  for (const QosPlan::Single& single : plan.singles) miss(single);
  for (const QosPlan::OwnPorts& own : plan.own_ports) {
    const std::optional<NodeId> node = node_of(device_of(own), fabric);
    std::size_t ports = 0;
    if (node) each_port_of(own, *node, fabric, [&](PortId) { ports++; });
    if (node && ports == 0)
      found.push_back({Severity::error, "RY-FAB-018",
                       fmt::format("[qos.devices]: {} has no {}", name_of(device_of(own)), ports_text(own)),
                       "name a neighbour that it has a cable to, or a number of its ports, from 0", own.where});
  }
  for (const QosPlan::OwnDcqcn& own : plan.own_dcqcn) miss({DeviceTier::nic, own.host, "", 0, own.where});
  for (const QosPlan::OwnMark& own : plan.own_cnp_marks) miss({DeviceTier::nic, own.host, "", 0, own.where});
  for (const QosPlan::OwnMtu& own : plan.own_mtus) miss({DeviceTier::nic, own.host, "", 0, own.where});
  sort_by_location(found);
  return found;
}

}  // namespace railyard
