// An estate without mistakes, for tests to make one in: three leaves and three spines (SONiC), three hosts with three NICs, a
// job.
#pragma once

#include <fmt/format.h>

#include "qos/device.h"

namespace railyard {

inline QosPolicy clean_switch_policy() {
  constexpr Picoseconds kWatch = Picoseconds(200'000'000'000);
  QosPolicy policy;
  policy.class_of_dscp[26] = 3;
  policy.class_of_dscp[48] = policy.class_of_dscp[56] = 6;
  policy.group_of_class = {0, 0, 0, 3, 0, 0, 0, 0};
  policy.pfc = 1U << 3;
  policy.queues[0].weight = policy.queues[3].weight = 50;
  policy.queues[6].strict = true;
  policy.queues[3].ecn = EcnPolicy{{ThresholdUnit::bytes, 150'000}, {ThresholdUnit::bytes, 1'500'000}, 1, true};
  policy.groups[3].has_buffer = true;
  policy.groups[3].headroom = Bytes(130'000);
  policy.groups[3].alpha = 0.125;
  policy.watchdog = {.enabled = true, .detection = kWatch, .restoration = kWatch, .poll = kWatch};
  policy.said["pfc"] = policy.said["queue.3.ecn"] = policy.said["group.3"] = {"leaf.json", 7, 3};
  return policy;
}

inline PortConfig clean_port(std::string name, std::string neighbour, std::string neighbour_port) {
  PortConfig port;
  port.name = std::move(name);
  port.speed = 400_Gbps;
  port.cable = 30_m;
  port.mtu = 9216_B;
  port.neighbour = std::move(neighbour);
  port.neighbour_port = std::move(neighbour_port);
  port.where = {"leaf.json", 3, 5};
  return port;
}

inline Device clean_switch(Role role, int number) {
  Device device;
  device.name = fmt::format("{}{}", name_of(role), number);
  device.role = role;
  device.model = "Z9864F";
  device.version = "202405";
  device.files = {{device.name + ".json", 0, 0}};
  device.policies = {clean_switch_policy()};
  device.hash = {
      {"src-ip", "dst-ip", "src-port", "dst-port"}, "crc", role == Role::leaf ? 10U : 25U, false, {"leaf.json", 1, 1}};
  device.buffer.size = Bytes(64'000'000);
  const Role other = role == Role::leaf ? Role::spine : Role::leaf;
  for (int i = 0; i < 3; i++)
    device.ports.push_back(
        clean_port(fmt::format("Ethernet{}", i), fmt::format("{}{}", name_of(other), i), fmt::format("Ethernet{}", number)));
  if (role == Role::leaf)
    for (int host = 0; host < 3; host++)
      device.ports.push_back(
          clean_port(fmt::format("Ethernet{}", 8 + host), fmt::format("host{}", host), fmt::format("eth{}", number)));
  return device;
}

inline Device clean_host(int number) {
  Device device;
  device.name = fmt::format("host{}", number);
  device.kind = DeviceKind::host;
  device.dialect = Dialect::mlnx;
  device.role = Role::host;
  device.files = {{device.name + "/mlnx_qos.txt", 0, 0}};
  QosPolicy policy;
  policy.class_of_dscp = classes_by_eight();
  policy.pfc = 1U << 3;
  policy.said["pfc.3"] = {"mlnx_qos.txt", 9, 1};
  device.policies = {policy};
  for (int i = 0; i < 3; i++) {
    NicConfig nic;
    nic.name = fmt::format("mlx5_{}", i);
    nic.netdev = fmt::format("eth{}", i);
    nic.model = "ConnectX-7";
    nic.firmware = "28.41.1000";
    nic.cnp_dscp = 48, nic.cnp_priority = 6;
    nic.ecn_np = nic.ecn_rp = 0xff;
    nic.dcqcn = {{"min_time_between_cnps", 4}, {"rpg_ai_rate", 5}};
    nic.pcie_width = nic.pcie_width_max = 16;
    nic.pcie_speed = nic.pcie_speed_max = 32;
    nic.acs = false, nic.relaxed_ordering = true, nic.dcbx_willing = false, nic.dcbx_firmware = false;
    nic.mtu = 9000_B, nic.path_mtu = 4096_B, nic.speed = 400_Gbps;
    nic.gids = {{1, "fe80::1", 1, "eth0", {}}, {3, "10.0.0.1", 2, "eth0", {}}};
    device.nics.push_back(nic);
    device.distances.push_back({fmt::format("GPU{}", i), nic.name, "PIX", {}});
    device.distances.push_back({fmt::format("GPU{}", i), "mlx5_x", "SYS", {}});
  }
  return device;
}

inline Device clean_job() {
  Device job;
  job.name = "train";
  job.kind = DeviceKind::job;
  job.dialect = Dialect::environment;
  job.files = {{"train.sh", 0, 0}};
  job.environment = {{"NCCL_IB_TC", {"106", {"train.sh", 4, 1}}},
                     {"NCCL_IB_GID_INDEX", {"3", {"train.sh", 5, 1}}},
                     {"NCCL_IB_HCA", {"=mlx5_0,mlx5_1,mlx5_2", {"train.sh", 6, 1}}},
                     {"NCCL_IB_QPS_PER_CONNECTION", {"4", {"train.sh", 7, 1}}}};
  return job;
}

/// Devices 0 to 2 are leaves, 3 to 5 spines, 6 to 8 hosts, 9 the job.
inline Estate clean_estate() {
  Estate estate;
  for (int i = 0; i < 3; i++) estate.devices.push_back(clean_switch(Role::leaf, i));
  for (int i = 0; i < 3; i++) estate.devices.push_back(clean_switch(Role::spine, i));
  for (int i = 0; i < 3; i++) estate.devices.push_back(clean_host(i));
  estate.devices.push_back(clean_job());
  for (std::size_t leaf = 0; leaf < 3; leaf++)
    for (const PortConfig& port : estate.devices[leaf].ports) {
      InventoryRow row;
      row.device = estate.devices[leaf].name, row.port = port.name, row.role = "leaf", row.nos = "SONiC 202405";
      row.neighbour = port.neighbour, row.neighbour_port = port.neighbour_port, row.cable = 30_m;
      estate.inventory.push_back(row);
    }
  estate.allowed.versions = {{"ConnectX-7", {"28.41.1000"}}, {"SONiC", {"202405"}}};
  estate.allowed.lossless_priorities = 1U << 3;
  return estate;
}

}  // namespace railyard
