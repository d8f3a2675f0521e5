// A device that every dialect can say, for tests.
#pragma once

#include "config/write/limits.h"
#include "config/write/write.h"

namespace railyard {

/// DSCP 26 → class 3, which PFC pauses and ECN marks; CNPs strictly first in class 6; a watchdog.
inline QosPolicy roce_policy() {
  constexpr std::int64_t kMillisecond = kPicosecondsPerSecond / 1000;
  QosPolicy policy;
  policy.class_of_dscp[26] = 3;
  policy.class_of_dscp[48] = 6;
  policy.pfc = 1U << 3;
  policy.queues[0].weight = 50;
  policy.queues[3].weight = 50;
  policy.queues[3].ecn = EcnPolicy{{ThresholdUnit::bytes, 1'048'576}, {ThresholdUnit::bytes, 2'097'152}, 0.05, true};
  policy.queues[6].strict = true;
  policy.groups[3] = {true, 19_KiB, 374'784_B, 19_KiB, std::nullopt, 0.125, std::nullopt};
  policy.watchdog = {true, Picoseconds(200 * kMillisecond), Picoseconds(200 * kMillisecond), Picoseconds(100 * kMillisecond),
                     StormAction::drop};
  policy.watched = 1U << 3;
  return policy;
}

/// Names of ports as the dialect has them.
inline const char* port_of(Dialect dialect, bool second) {
  switch (dialect) {
    case Dialect::sonic:
      return second ? "Ethernet8" : "Ethernet0";
    case Dialect::nvue:
      return second ? "swp2" : "swp1";
    case Dialect::eos:
      return second ? "Ethernet2/1" : "Ethernet1/1";
    case Dialect::junos:
      return second ? "et-0/0/1" : "et-0/0/0";
    case Dialect::os10:
      return second ? "ethernet1/1/2" : "ethernet1/1/1";
    default:
      return second ? "Ethernet1/2" : "Ethernet1/1";
  }
}

inline Device switch_device(Dialect dialect) {
  Device device;
  device.name = "leaf";
  device.dialect = dialect;
  device.policies = {roce_policy()};
  for (const bool second : {false, true}) {
    PortConfig& port = device.ports.emplace_back();
    port.name = port_of(dialect, second);
    port.speed = 400_Gbps;
    port.cable = 30_m;
    port.mtu = 9216_B;
  }
  device.hash.fields = {"src-ip", "dst-ip", "protocol", "src-port", "dst-port"};
  device.hash.seed = 10;
  if (dialect == Dialect::junos) {
    device.policies[0].queues[3].ecn = EcnPolicy{{ThresholdUnit::percent, 55}, {ThresholdUnit::percent, 90}, 1, true};
    device.buffer.lossless_percent = 66;
    device.buffer.headroom_percent = 24;
    device.buffer.lossy_percent = 10;
  }
  return device;
}

inline Device host_device(Dialect dialect) {
  Device device;
  device.name = "host";
  device.kind = DeviceKind::host;
  device.dialect = dialect;
  QosPolicy policy = roce_policy();
  policy.class_of_dscp = classes_by_eight();
  device.policies = {policy};
  NicConfig& nic = device.nics.emplace_back();
  nic.name = dialect == Dialect::nicctl ? "ionic_0" : "mlx5_0";
  nic.netdev = "eth0";
  nic.cnp_dscp = dialect == Dialect::nicctl ? 46 : 48;
  nic.mtu = 4200_B;
  if (dialect == Dialect::nicctl) return device;
  nic.traffic_class = nic.cma_tos = 106;
  nic.cnp_priority = 6;
  nic.ecn_np = nic.ecn_rp = 1U << 3;
  nic.dcbx_willing = nic.dcbx_firmware = false;
  return device;
}

inline Device job_device() {
  Device device;
  device.name = "job";
  device.kind = DeviceKind::job;
  device.dialect = Dialect::environment;
  device.environment["NCCL_IB_TC"].value = "106";
  device.environment["NCCL_IB_GID_INDEX"].value = "3";
  return device;
}

/// What its dialect can say of a device of this kind.
inline Device sayable_device(Dialect dialect) {
  const bool host = dialect == Dialect::mlnx || dialect == Dialect::nicctl;
  std::vector<std::string> left_out;
  return sayable(dialect == Dialect::environment ? job_device()
                 : host                          ? host_device(dialect)
                                                 : switch_device(dialect),
                 left_out);
}

}  // namespace railyard
