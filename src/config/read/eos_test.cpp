#include <gtest/gtest.h>

#include <algorithm>

#include "config/read/read.h"

namespace railyard {
namespace {

constexpr const char* kEosLeaf = R"(! device: leaf7 (DCS-7060X6-64PE, EOS-4.33.1F)
!
hostname leaf7
!
qos map dscp 26 to traffic-class 3
qos map dscp 48 to traffic-class 6
qos map traffic-class 6 to tx-queue 7
!
qos profile gpu-facing
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   priority-flow-control priority 4 drop
   priority-flow-control pause watchdog port action drop
   priority-flow-control pause watchdog port timer timeout 0.3 polling-interval auto recovery-time 1.5 forced
   !
   uc-tx-queue 3
      no priority
      bandwidth percent 60
      random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes max-mark-probability 40 weight 0
   !
   uc-tx-queue 7
      priority strict
!
interface Port-Channel9
   service-profile gpu-facing
!
interface Ethernet1/1
   description to gpu-host-3 mlx5_0
   mtu 9214
   no switchport
   speed 400g-4
   service-profile gpu-facing
   dcbx mode ieee
!
interface Ethernet2/1
   description P2P_LINK_TO_SPINE1_Ethernet2/1
   shutdown
   channel-group 9 mode active
   flowcontrol receive on
!
interface Ethernet3/1
   no switchport
!
interface Vlan10
   ip address 10.0.0.1/24
!
ip load-sharing trident fields ip source-ip destination-ip protocol
port-channel load-balance trident hash seed 7
router bgp 65001
   neighbor 10.0.0.2 remote-as 65002
)";

Device eos_device(const std::string& text) {
  Estate estate;
  EXPECT_TRUE(read_config({"leaf.cfg", "leaf", text}, estate).empty());
  EXPECT_EQ(estate.devices.size(), 1U);
  return estate.devices.at(0);
}

TEST(Eos, no_other_reader_takes_the_file) {
  for (const FileReader& reader : file_readers())
    EXPECT_EQ(reader.recognises({"x", "x", kEosLeaf}), reader.name == "Arista EOS running configuration") << reader.name;
}

TEST(Eos, names_and_ports) {
  const Device leaf = eos_device(kEosLeaf);
  EXPECT_EQ(leaf.name, "leaf7");
  EXPECT_EQ(leaf.dialect, Dialect::eos);
  EXPECT_EQ(leaf.model, "DCS-7060X6-64PE");
  EXPECT_EQ(leaf.version, "EOS-4.33.1F");
  ASSERT_EQ(leaf.ports.size(), 3U);
  EXPECT_EQ(leaf.ports[0].name, "Ethernet1/1");
  EXPECT_EQ(leaf.ports[0].mtu, Bytes(9214));
  EXPECT_EQ(leaf.ports[0].speed, 400_Gbps);
  EXPECT_EQ(leaf.ports[0].neighbour, "gpu-host-3");
  EXPECT_EQ(leaf.ports[0].neighbour_port, "mlx5_0");
  EXPECT_EQ(leaf.ports[0].where.line, 28U);
  EXPECT_FALSE(leaf.ports[1].enabled);
  EXPECT_EQ(leaf.ports[1].neighbour, "SPINE1");
  EXPECT_EQ(leaf.ports[2].mtu, Bytes(1500)) << "a routed port that says nothing";
}

TEST(Eos, a_profile_is_the_policy_of_its_ports) {
  const Device leaf = eos_device(kEosLeaf);
  const QosPolicy& policy = leaf.policies.at(leaf.ports[0].policy);
  EXPECT_EQ(policy.name, "gpu-facing");
  EXPECT_EQ(policy.trust, Trust::dscp);
  EXPECT_EQ(policy.class_of_dscp[26], 3);
  EXPECT_EQ(policy.class_of_dscp[0], 1) << "Arista's default";
  EXPECT_EQ(policy.class_of_dscp[8], 0);
  EXPECT_EQ(policy.queue_of_class[6], 7);
  EXPECT_EQ(policy.pfc, 1U << 3);
  EXPECT_EQ(policy.pfc_mode, PfcMode::forced);
  EXPECT_TRUE(policy.groups[3].has_buffer);
  EXPECT_TRUE(policy.queues[7].strict);
  EXPECT_FALSE(policy.queues[3].strict);
  EXPECT_FALSE(policy.queues[0].strict) << "below a queue that is served in turn all are";
  EXPECT_EQ(policy.queues[3].weight, 60U);
  EXPECT_EQ(policy.queues[3].ecn, (EcnPolicy{{ThresholdUnit::bytes, 256'000}, {ThresholdUnit::bytes, 512'000}, 0.4, true}));
  EXPECT_TRUE(policy.watchdog.enabled);
  EXPECT_EQ(policy.watchdog.detection, from_seconds(0.3));
  EXPECT_EQ(policy.watchdog.restoration, from_seconds(1.5));
  EXPECT_EQ(policy.watchdog.poll, from_seconds(0.1));
  EXPECT_EQ(policy.said.at("pfc.3").line, 12U);
  EXPECT_EQ(policy.said.at("dscp.26").line, 5U);
  EXPECT_EQ(policy.said.at("queue.3.ecn").line, 20U);
  EXPECT_EQ(policy.said.count("dscp.0"), 0U);
}

TEST(Eos, members_have_what_their_channel_says) {
  const Device leaf = eos_device(kEosLeaf);
  const QosPolicy& member = leaf.policies.at(leaf.ports[1].policy);
  EXPECT_EQ(member.pfc, 1U << 3);
  EXPECT_TRUE(member.link_pause);
  EXPECT_EQ(member.said.at("link_pause").line, 40U);
  EXPECT_EQ(leaf.policies.at(leaf.ports[2].policy).pfc, 0) << "no profile, no PFC";
}

TEST(Eos, pfc_needs_on_and_a_priority) {
  const auto pfc = [](const std::string& lines) {
    const Device leaf = eos_device("interface Ethernet1\n" + lines);
    return leaf.policies.at(leaf.ports.at(0).policy).pfc;
  };
  EXPECT_EQ(pfc("   priority-flow-control on\n"), 0);
  EXPECT_EQ(pfc("   priority-flow-control priority 3 no-drop\n"), 0);
  EXPECT_EQ(pfc("   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"), 1U << 3);
  EXPECT_EQ(pfc("   priority-flow-control on\n   priority-flow-control priority 3 no-drop\npriority-flow-control all off\n"),
            0);
}

TEST(Eos, policy_maps_come_before_trust) {
  const Device leaf = eos_device(
      "class-map type qos match-any roce\n   match dscp 24 26\npolicy-map type quality-of-service in\n   class roce\n"
      "      set traffic-class 3\n   class class-default\n      set traffic-class 1\ninterface Ethernet1\n"
      "   service-policy type qos input in\n");
  const QosPolicy& policy = leaf.policies.at(0);
  EXPECT_EQ(policy.class_of(26, 0), 3);
  EXPECT_EQ(policy.class_of(30, 0), 1);
  EXPECT_EQ(policy.said.at("dscp.26").line, 2U);
}

TEST(Eos, thresholds_keep_their_unit) {
  const auto ecn = [](const std::string& line) {
    const Device leaf = eos_device("interface Ethernet1\n   tx-queue 3\n      random-detect " + line + "\n");
    return leaf.policies.at(0).queues[3].ecn;
  };
  EXPECT_EQ(ecn("ecn minimum-threshold 320 segments maximum-threshold 640 segments weight 10")->kmax,
            (Threshold{ThresholdUnit::cells, 640}));
  EXPECT_EQ(ecn("ecn minimum-threshold 2 milliseconds maximum-threshold 3 milliseconds")->kmin,
            (Threshold{ThresholdUnit::time, 2000}));
  EXPECT_FALSE(ecn("drop minimum-threshold 1 kbytes maximum-threshold 9 kbytes drop-probability 50")->marks);
  EXPECT_EQ(ecn("ecn count"), std::nullopt);
}

TEST(Eos, hash_and_what_is_not_read) {
  const Device leaf = eos_device(kEosLeaf);
  EXPECT_EQ(leaf.hash.fields, (std::vector<std::string>{"src-ip", "dst-ip", "protocol"}));
  EXPECT_EQ(leaf.hash.seed, 7U);
  std::vector<std::string> unread;
  for (const Device::Unread& one : leaf.unread) unread.push_back(one.statement);
  EXPECT_NE(std::find(unread.begin(), unread.end(), "router bgp"), unread.end());
}

TEST(Eos, a_file_without_qos_has_no_policies) {
  const Device leaf = eos_device("daemon TerminAttr\ninterface Ethernet1\n   mtu 9214\n");
  EXPECT_EQ(leaf.ports.size(), 1U);
  EXPECT_TRUE(leaf.policies.empty());
}

TEST(Eos, ten_thousand_ports_share_a_policy) {
  std::string text = "qos profile p\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n";
  for (int i = 1; i <= 10'000; i++)
    text +=
        "interface Ethernet" + std::to_string(i) + "\n   description to host" + std::to_string(i) + "\n   service-profile p\n";
  const Device leaf = eos_device(text);
  EXPECT_EQ(leaf.ports.size(), 10'000U);
  EXPECT_EQ(leaf.policies.size(), 1U);
}

TEST(Eos, a_storm_may_only_be_told_and_a_pause_stops_the_queue_of_its_class) {
  Estate estate;
  read_config({"leaf.cfg", "leaf",
               "ip hardware fib load-balance distribution dynamic\nqos map traffic-class 3 to tx-queue 4\n"
               "interface Ethernet1\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
               "   priority-flow-control pause watchdog port action notify-only\n"
               "interface Ethernet2\n   no priority-flow-control pause watchdog\n"},
              estate);
  ASSERT_EQ(estate.devices.size(), 1U);
  const Device& leaf = estate.devices[0];
  EXPECT_TRUE(leaf.hash.dynamic);
  EXPECT_TRUE(leaf.unread.empty());
  ASSERT_EQ(leaf.ports.size(), 2U);
  const QosPolicy& watched = leaf.policies[leaf.ports[0].policy];
  EXPECT_EQ(watched.watchdog.action, StormAction::alert);
  EXPECT_EQ(watched.queue_of_priority[3], 4);
  EXPECT_EQ(leaf.policies[leaf.ports[1].policy].watchdog, WatchdogPolicy());
}

}  // namespace
}  // namespace railyard
