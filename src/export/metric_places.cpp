#include "export/metric_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/tier_loads.h"
#include "export/openmetrics.h"

namespace railyard {

MetricPlaces::MetricPlaces(const Fabric& fabric, std::string run) : fabric_(fabric), run_(std::move(run)) {
  std::vector<std::uint32_t> ports(fabric.kind.size(), 0);
  for (const PortId port : ids(fabric.port_from)) slot_.push_back(ports[fabric.port_from[port].index()]++);
}

std::string MetricPlaces::instance(NodeId node) const {
  std::string name;
  if (fabric_.kind[node] == NodeKind::host && !fabric_.drawn && node.index() < fabric_.interfaces)
    name = fmt::format("server {}", fabric_.server_of(EndpointId(node.index() * fabric_.per_interface)));
  else
    name = end_name(fabric_, node);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string MetricPlaces::nic(NodeId host, PortId port) const {
  const std::uint32_t nics = std::max(1U, fabric_.per_node / std::max(1U, fabric_.per_interface));
  const std::uint32_t number = fabric_.drawn ? 0 : host.index() % nics;
  return label_text({{"instance", instance(host)},
                     {"device", fmt::format("mlx5_{}", number)},
                     {"port", fmt::to_string(slot_[port.index()] + 1)},
                     {"place", end_name(fabric_, host)},
                     {"run", run_}});
}

std::string MetricPlaces::switch_port(PortId port, std::string_view key) const {
  return label_text({{"instance", instance(fabric_.port_from[port])},
                     {key, fmt::format("Ethernet{}", slot_[port.index()])},
                     {"place", port_name(fabric_, port)},
                     {"run", run_}});
}

}  // namespace railyard
