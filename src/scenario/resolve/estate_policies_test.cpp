#include "scenario/resolve/estate_policies.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

PortConfig port_with(std::uint32_t policy) {
  PortConfig port;
  port.policy = policy;
  return port;
}

Device switch_called(const std::string& name, std::uint8_t pfc) {
  Device device;
  device.name = name;
  device.policies.resize(1);
  device.policies[0].class_of_dscp = classes_by_eight();
  device.policies[0].pfc = pfc;
  device.ports.push_back(port_with(0));
  return device;
}

Device host_called(const std::string& name, std::optional<std::uint8_t> tos) {
  Device device = switch_called(name, 8);
  device.kind = DeviceKind::host;
  device.ports.clear();
  device.nics.emplace_back();
  device.nics[0].traffic_class = tos;
  device.nics[0].cnp_dscp = 48;
  return device;
}

const std::optional<QosPolicy>& of(const EstatePolicies& all, DeviceTier tier) {
  return all.tiers[static_cast<std::size_t>(tier)];
}

TEST(EstatePolicies, most_of_a_tier_stand_for_it_and_others_for_themselves) {
  Estate estate;
  for (const auto& [name, pfc] : {std::pair("leaf01", 8), {"leaf02", 24}, {"leaf03", 8}, {"Spine1", 8}, {"tor-x", 8}})
    estate.devices.push_back(switch_called(name, static_cast<std::uint8_t>(pfc)));
  estate.devices.push_back(switch_called("edge7", 1));
  estate.devices.back().role = Role::core;
  estate.devices.push_back(switch_called("firewall", 2));
  const EstatePolicies all = estate_policies(estate);
  EXPECT_EQ(of(all, DeviceTier::leaf)->pfc, 8);
  EXPECT_EQ(of(all, DeviceTier::spine)->pfc, 8);
  EXPECT_EQ(of(all, DeviceTier::core)->pfc, 1);
  EXPECT_FALSE(of(all, DeviceTier::nic) || of(all, DeviceTier::other));
  ASSERT_EQ(all.singles.size(), 1U);
  EXPECT_EQ(all.singles[0].name, "leaf02");
  EXPECT_EQ(all.singles[0].index, 1U);  // operators count from 1 here
  EXPECT_EQ(all.singles[0].policy.pfc, 24);
}

TEST(EstatePolicies, a_device_does_what_most_of_its_ports_do) {
  Estate estate;
  estate.devices.push_back(switch_called("leaf0", 8));
  Device& leaf = estate.devices[0];
  leaf.policies.push_back(leaf.policies[0]);
  leaf.policies[1].pfc = 16;
  leaf.ports = {port_with(0), port_with(1), port_with(1)};
  EXPECT_EQ(of(estate_policies(estate), DeviceTier::leaf)->pfc, 16);
  leaf.ports[1].enabled = leaf.ports[2].enabled = false;
  EXPECT_EQ(of(estate_policies(estate), DeviceTier::leaf)->pfc, 8);
}

TEST(EstatePolicies, the_job_marks_data_unless_a_driver_forces_another_mark) {
  Estate estate;
  estate.devices = {host_called("gpu1", std::nullopt), host_called("gpu2", std::nullopt), host_called("gpu3", 0)};
  Device job;
  job.kind = DeviceKind::job;
  job.environment["NCCL_IB_TC"] = {"106", {}};
  estate.devices.push_back(job);
  const EstatePolicies all = estate_policies(estate);
  EXPECT_EQ(all.data_mark, 26);
  EXPECT_EQ(all.cnp_mark, 48);
  ASSERT_EQ(all.own_marks.size(), 1U);
  EXPECT_EQ(all.own_marks[0].host, 2U);
  EXPECT_EQ(all.own_marks[0].dscp, 0);
}

TEST(EstatePolicies, a_port_that_differs_is_found_by_its_neighbour) {
  Estate estate;
  estate.devices = {switch_called("leaf01", 8), switch_called("spine01", 8), host_called("gpu03", std::nullopt)};
  Device& leaf = estate.devices[0];
  leaf.policies.push_back(leaf.policies[0]);
  leaf.policies[1].pfc = 0;
  leaf.policies.push_back(leaf.policies[0]);  // another of the same effect
  leaf.ports = {port_with(0), port_with(0), port_with(0), port_with(1), port_with(1), port_with(1), port_with(2)};
  leaf.ports[3].neighbour = "spine01";
  leaf.ports[4].neighbour = "gpu03";
  leaf.ports[5].neighbour = "somebody";
  leaf.ports[6].neighbour = "spine02";
  estate.inventory.push_back({});
  const EstatePolicies all = estate_policies(estate);
  ASSERT_EQ(all.ports.size(), 2U) << "of a neighbour without a number nobody knows where it is";
  EXPECT_EQ(all.ports[0].tier, DeviceTier::leaf);
  EXPECT_EQ(all.ports[0].index, 0U);
  EXPECT_EQ(all.ports[0].to, DeviceTier::spine);
  EXPECT_EQ(all.ports[0].neighbour, 0U);
  EXPECT_EQ(all.ports[0].policy.pfc, 0);
  EXPECT_EQ(all.ports[1].to, DeviceTier::nic);
  EXPECT_EQ(all.ports[1].neighbour, 2U);
}

TEST(EstatePolicies, an_inventory_tells_who_is_at_a_port) {
  Estate estate;
  estate.devices = {switch_called("leaf01", 8)};
  Device& leaf = estate.devices[0];
  leaf.policies.push_back(leaf.policies[0]);
  leaf.policies[1].pfc = 0;
  leaf.ports = {port_with(0), port_with(0), port_with(1)};
  leaf.ports[2].name = "Ethernet16";
  InventoryRow row;
  row.device = "leaf01", row.port = "Ethernet16", row.neighbour = "spine02";
  estate.inventory.push_back(row);
  const EstatePolicies all = estate_policies(estate);
  ASSERT_EQ(all.ports.size(), 1U);
  EXPECT_EQ(all.ports[0].neighbour, 1U);
}

TEST(EstatePolicies, a_length_of_cable_counts_where_headroom_is_computed) {
  Estate estate;
  estate.devices = {switch_called("leaf01", 8)};
  Device& leaf = estate.devices[0];
  leaf.ports = {port_with(0), port_with(0), port_with(0)};
  for (PortConfig& port : leaf.ports) port.cable = 40_m, port.neighbour = "spine01";
  leaf.ports[2].cable = 5_m;
  leaf.ports[2].neighbour = "spine02";
  const EstatePolicies computed = estate_policies(estate);
  EXPECT_EQ(computed.cables[static_cast<std::size_t>(DeviceTier::leaf)], 40_m);
  ASSERT_EQ(computed.ports.size(), 1U);
  EXPECT_EQ(computed.ports[0].cable, 5_m);
  EXPECT_EQ(computed.ports[0].neighbour, 1U);
  leaf.policies[0].groups[3].headroom = 50_KiB;
  const EstatePolicies given = estate_policies(estate);
  EXPECT_FALSE(given.cables[static_cast<std::size_t>(DeviceTier::leaf)]);
  EXPECT_TRUE(given.ports.empty());
}

TEST(EstatePolicies, nics_keep_their_congestion_control) {
  Estate estate;
  estate.devices = {host_called("gpu1", std::nullopt), host_called("gpu2", std::nullopt)};
  estate.devices[1].nics[0].ecn_rp = 0xf7;
  const EstatePolicies all = estate_policies(estate);
  ASSERT_EQ(all.nics.size(), 2U);
  EXPECT_EQ(all.nics[1].server, 1U);
  EXPECT_EQ(all.nics[1].priorities.at(0), 3) << "that of PFC for DSCP 26";
  EXPECT_EQ(all.nics[1].nics.at(0).ecn_rp, 0xf7);
}

TEST(EstatePolicies, nothing_is_known_of_nothing) {
  const EstatePolicies all = estate_policies({});
  EXPECT_FALSE(all.data_mark || all.cnp_mark || of(all, DeviceTier::leaf));
  EXPECT_TRUE(all.singles.empty() && all.own_marks.empty());
}

}  // namespace
}  // namespace railyard
