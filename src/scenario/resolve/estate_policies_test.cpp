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

TEST(EstatePolicies, nothing_is_known_of_nothing) {
  const EstatePolicies all = estate_policies({});
  EXPECT_FALSE(all.data_mark || all.cnp_mark || of(all, DeviceTier::leaf));
  EXPECT_TRUE(all.singles.empty() && all.own_marks.empty());
}

}  // namespace
}  // namespace railyard
