// What exporters call NICs and ports of switches.
#pragma once

#include <string>
#include <vector>

#include "fabric/fabric.h"

namespace railyard {

/// Labels of ports, as text: instance, device or interface, `place` as results name it, and the run.
class MetricPlaces {
 public:
  MetricPlaces(const Fabric& fabric, std::string run);

  /// Of the NIC at a host's end of a port: instance="server-0",device="mlx5_3",port="1",place="GPU 3".
  [[nodiscard]] std::string nic(NodeId host, PortId port) const;

  /// Its interface in the kernel, which node_exporter's ethtool collector calls the device: "rdma3".
  [[nodiscard]] std::string netdev(NodeId host, PortId port) const;
  [[nodiscard]] std::string ethernet(NodeId host, PortId port) const;

  /// As rdma_exporter has them, whose dashboards ask for the job; and those of rdma_port_info.
  [[nodiscard]] std::string rdma(NodeId host, PortId port) const;
  [[nodiscard]] std::string rdma_info(NodeId host, PortId port) const;

  /// Of a port of a switch. `key`: "device" at SONiC, "interface" at others.
  [[nodiscard]] std::string switch_port(PortId port, std::string_view key) const;

  /// Of sonic_interface_info, which has who is at the other end.
  [[nodiscard]] std::string switch_port_info(PortId port) const;

  [[nodiscard]] std::string instance(NodeId node) const;
  [[nodiscard]] const std::string& run() const { return run_; }

 private:
  [[nodiscard]] std::uint32_t nic_number(NodeId host) const;

  const Fabric& fabric_;
  std::string run_;
  std::vector<std::uint32_t> slot_;  // by port: which of its node's ports it is
};

}  // namespace railyard
