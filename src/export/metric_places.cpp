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

std::uint32_t MetricPlaces::nic_number(NodeId host) const {
  const std::uint32_t nics = std::max(1U, fabric_.per_node / std::max(1U, fabric_.per_interface));
  return fabric_.drawn ? 0 : host.index() % nics;
}

std::string MetricPlaces::nic(NodeId host, PortId port) const {
  return label_text({{"instance", instance(host)},
                     {"device", fmt::format("mlx5_{}", nic_number(host))},
                     {"port", fmt::to_string(slot_[port.index()] + 1)},
                     {"place", end_name(fabric_, host)},
                     {"run", run_}});
}

std::string MetricPlaces::netdev(NodeId host, PortId port) const {
  const std::uint32_t slot = slot_[port.index()];
  return fmt::format("rdma{}", nic_number(host)) + (slot > 0 ? fmt::format("p{}", slot) : "");
}

std::string MetricPlaces::ethernet(NodeId host, PortId port) const {
  return label_text(
      {{"instance", instance(host)}, {"device", netdev(host, port)}, {"place", end_name(fabric_, host)}, {"run", run_}});
}

std::string MetricPlaces::rdma(NodeId host, PortId port) const {
  std::string labels = nic(host, port);
  add_label(labels, "job", "rdma_exporter");
  return labels;
}

std::string MetricPlaces::rdma_info(NodeId host, PortId port) const {
  std::string labels = rdma(host, port);
  add_label(labels, "netdev", netdev(host, port));
  add_label(labels, "link_layer", "Ethernet");
  add_label(labels, "state", "ACTIVE");
  add_label(labels, "phys_state", "LINK_UP");
  add_label(labels, "link_width", "4X");
  const auto rate = static_cast<double>(fabric_.trunk_port_rate[fabric_.port_trunk[port]].count());
  add_label(labels, "link_speed", fmt::format("{:g} Gb/sec", rate / 1e9));
  add_label(labels, "is_vf", "false");
  return labels;
}

std::string MetricPlaces::switch_port_info(PortId port) const {
  std::string labels = switch_port(port, "device");
  add_label(labels, "description", end_name(fabric_, fabric_.port_to[port]));
  return labels;
}

std::string MetricPlaces::switch_port(PortId port, std::string_view key) const {
  return label_text({{"instance", instance(fabric_.port_from[port])},
                     {key, fmt::format("Ethernet{}", slot_[port.index()])},
                     {"place", port_name(fabric_, port)},
                     {"run", run_}});
}

}  // namespace railyard
