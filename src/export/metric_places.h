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

  /// Of a port of a switch. `key`: "device" at SONiC, "interface" at others.
  [[nodiscard]] std::string switch_port(PortId port, std::string_view key) const;

  [[nodiscard]] std::string instance(NodeId node) const;
  [[nodiscard]] const std::string& run() const { return run_; }

 private:
  const Fabric& fabric_;
  std::string run_;
  std::vector<std::uint32_t> slot_;  // by port: which of its node's ports it is
};

}  // namespace railyard
