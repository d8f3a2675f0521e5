#include <gtest/gtest.h>

#include "config/read/read.h"

namespace railyard {
namespace {

constexpr const char* kNxosLeaf = R"(!Command: show running-config
version 10.4(3) Bios:version 01.09
hostname n9k-leaf2
feature lldp
ip load-sharing address source-destination port source-destination universal-id 4711
priority-flow-control watch-dog-interval on
policy-map type network-qos lossless
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
  class type network-qos c-8q-nq-default
    mtu 9216
class-map type qos match-any roce
  match dscp 26
class-map type qos match-any cnp
  match dscp 48
policy-map type qos classify
  class roce
    set qos-group 3
  class cnp
    set qos-group 7
policy-map type queuing egress
  class type queuing c-out-8q-q7
    priority level 1
  class type queuing c-out-8q-q3
    bandwidth remaining percent 60
    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 40
policy-map type queuing ingress
  class type queuing c-in-q3
    pause buffer-size 101920 pause-threshold 39936 resume-threshold 38688
system qos
  service-policy type network-qos lossless
  service-policy type queuing output egress
interface breakout module 1 port 5-6 map 100g-4x
interface Ethernet1/1
  description to gpu-host-1 mlx5_0
  mtu 9216
  speed 400000
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  service-policy type qos input classify
  service-policy type queuing input ingress
  no shutdown
interface Ethernet1/2
  service-policy type qos input classify
interface Ethernet1/5/1
  priority-flow-control mode off
interface mgmt0
  vrf member management
)";

Device nxos_device(const std::string& text) {
  Estate estate;
  EXPECT_TRUE(read_config({"leaf.cfg", "leaf", text}, estate).empty());
  EXPECT_EQ(estate.devices.size(), 1U);
  return estate.devices.at(0);
}

const QosPolicy& policy_at(const Device& device, std::size_t port) { return device.policies.at(device.ports.at(port).policy); }

TEST(Nxos, no_other_reader_takes_the_file) {
  for (const FileReader& reader : file_readers())
    EXPECT_EQ(reader.recognises({"x", "x", kNxosLeaf}),
              reader.name == "Cisco NX-OS running configuration, AOS-CX interface lines")
        << reader.name;
}

TEST(Nxos, names_and_ports) {
  const Device leaf = nxos_device(kNxosLeaf);
  EXPECT_EQ(leaf.name, "n9k-leaf2");
  EXPECT_EQ(leaf.dialect, Dialect::nxos);
  EXPECT_EQ(leaf.version, "10.4(3)");
  ASSERT_EQ(leaf.ports.size(), 3U);
  EXPECT_EQ(leaf.ports[0].speed, 400_Gbps);
  EXPECT_EQ(leaf.ports[0].neighbour, "gpu-host-1");
  EXPECT_EQ(leaf.ports[1].mtu, Bytes(9216)) << "of the default class of network-qos";
  EXPECT_EQ(leaf.ports[2].name, "Ethernet1/5/1");
  EXPECT_EQ(leaf.ports[2].speed, 100_Gbps);
  EXPECT_EQ(leaf.hash.seed, 4711U);
  EXPECT_TRUE(leaf.hash.has("src-port"));
}

TEST(Nxos, system_and_interface_make_one_policy) {
  const Device leaf = nxos_device(kNxosLeaf);
  const QosPolicy& policy = policy_at(leaf, 0);
  EXPECT_EQ(policy.trust, Trust::dscp);
  EXPECT_EQ(policy.class_of_dscp[26], 3);
  EXPECT_EQ(policy.class_of_dscp[48], 7);
  EXPECT_EQ(policy.class_of_dscp[24], 0);
  EXPECT_EQ(policy.pfc, 1U << 3);
  EXPECT_EQ(policy.pfc_mode, PfcMode::forced);
  EXPECT_TRUE(policy.queues[7].strict);
  EXPECT_EQ(policy.queues[3].weight, 60U);
  EXPECT_EQ(policy.queues[3].ecn, (EcnPolicy{{ThresholdUnit::bytes, 150'000}, {ThresholdUnit::bytes, 3'000'000}, 0.07, true}));
  EXPECT_TRUE(policy.groups[3].has_buffer);
  EXPECT_EQ(policy.groups[3].xoff, Bytes(39'936));
  EXPECT_EQ(policy.groups[3].headroom, Bytes(61'984));
  EXPECT_EQ(policy.groups[3].xon, Bytes(38'688));
  EXPECT_TRUE(policy.watchdog.enabled);
  EXPECT_EQ(policy.said.at("pfc.3").line, 9U);
  EXPECT_EQ(policy.said.at("dscp.26").line, 14U);
  EXPECT_EQ(policy.said.at("queue.3.ecn").line, 27U);
  EXPECT_EQ(policy.said.at("watchdog").line, 42U);
}

TEST(Nxos, ports_that_say_nothing_negotiate) {
  const Device leaf = nxos_device(kNxosLeaf);
  EXPECT_EQ(policy_at(leaf, 1).pfc, 1U << 3);
  EXPECT_EQ(policy_at(leaf, 1).pfc_mode, PfcMode::negotiated);
  EXPECT_FALSE(policy_at(leaf, 1).watchdog.enabled) << "off until the port says on";
  EXPECT_EQ(policy_at(leaf, 2).pfc, 0);
  EXPECT_EQ(policy_at(leaf, 2).trust, Trust::port) << "no policy of type qos";
}

TEST(Nxos, network_qos_that_is_not_bound_does_nothing) {
  const Device leaf = nxos_device(
      "policy-map type network-qos lossless\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n"
      "interface Ethernet1/1\n  priority-flow-control mode on\n");
  EXPECT_EQ(policy_at(leaf, 0).pfc, 0);
}

TEST(Nxos, the_priority_may_differ_from_the_group) {
  const Device leaf = nxos_device(
      "class-map type network-qos no-drop\n  match qos-group 4\npolicy-map type network-qos lossless\n"
      "  class type network-qos no-drop\n    pause pfc-cos 3\nclass-map type qos roce\n  match cos 3\n"
      "policy-map type qos in\n  class roce\n    set qos-group 4\nsystem qos\n  service-policy type network-qos lossless\n"
      "  service-policy type qos input in\ninterface Ethernet1/1\n  priority-flow-control mode on send-tlv\n");
  const QosPolicy& policy = policy_at(leaf, 0);
  EXPECT_EQ(policy.trust, Trust::pcp);
  EXPECT_EQ(policy.class_of(0, 3), 4);
  EXPECT_EQ(policy.pausing_priority(4), 3);
  EXPECT_EQ(policy.pausing_priority(3), std::nullopt);
  EXPECT_EQ(policy.queue_of_priority[3], 4);
}

TEST(Nxos, the_smaller_mtu_of_class_and_port_counts) {
  const Device leaf = nxos_device(
      "hostname a\npolicy-map type network-qos n\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n    mtu 2240\n"
      "system qos\n  service-policy type network-qos n\ninterface Ethernet1/1\n  mtu 9216\ninterface Ethernet1/2\n  no "
      "shutdown\n");
  EXPECT_EQ(leaf.ports.at(0).mtu, Bytes(2240));
  EXPECT_EQ(leaf.ports.at(1).mtu, Bytes(1500));
}

TEST(Nxos, aruba_lines_are_read) {
  const Device leaf = nxos_device(
      "!Version ArubaOS-CX GL.10.13.1000\nhostname cx-1\nqos dscp-map 26 local-priority 3\nqos trust dscp\n"
      "qos schedule-profile s\n    dwrr queue 3 weight 40\n    strict queue 7\ninterface 1/1/17-1/1/18\n    no shutdown\n"
      "    flow-control priority rxtx 3\n    apply qos schedule-profile s\ninterface 1/1/19\n    flow-control rxtx\n");
  EXPECT_EQ(leaf.name, "cx-1");
  EXPECT_EQ(leaf.version, "GL.10.13.1000");
  ASSERT_EQ(leaf.ports.size(), 3U);
  EXPECT_EQ(policy_at(leaf, 1).pfc, 1U << 3);
  EXPECT_EQ(policy_at(leaf, 1).trust, Trust::dscp);
  EXPECT_EQ(policy_at(leaf, 1).class_of_dscp[26], 3);
  EXPECT_EQ(policy_at(leaf, 1).queues[3].weight, 40U);
  EXPECT_TRUE(policy_at(leaf, 1).queues[7].strict);
  EXPECT_TRUE(policy_at(leaf, 2).link_pause);
  EXPECT_EQ(policy_at(leaf, 2).pfc, 0);
  EXPECT_EQ(leaf.dialect, Dialect::aoscx);
}

TEST(Nxos, aruba_pools_thresholds_and_cables) {
  const Device leaf = nxos_device(
      "!Version ArubaOS-CX GL.10.17.0001\nqos pool 1 lossless size 30 percent headroom 2048 kbytes priorities 3\n"
      "qos pool 2 lossless size 20 percent headroom 1000 kbytes priorities 4\nqos threshold-profile t\n"
      "    queue 3 action ecn all min-threshold 150 kbytes max-threshold 1500 kbytes\n    queue 4 action ecn all threshold 40 "
      "kbytes\n"
      "    queue 2 action wred-resp green min-threshold 100 kbytes max-threshold 2000 kbytes max-prob 70 percent\n"
      "interface 1/1/1\n    flow-control priority rxtx 3\n    flow-control buffer cable-length 30\n    apply qos "
      "threshold-profile t\n");
  EXPECT_EQ(leaf.buffer.lossless_percent, 50);
  EXPECT_EQ(leaf.buffer.headroom_pool, Bytes(3'048'000));
  EXPECT_EQ(leaf.ports.at(0).cable, 30_m);
  const QosPolicy& policy = policy_at(leaf, 0);
  EXPECT_FALSE(policy.link_pause);
  EXPECT_EQ(policy.queues[3].ecn, (EcnPolicy{{ThresholdUnit::bytes, 150'000}, {ThresholdUnit::bytes, 1'500'000}, 1, true}));
  EXPECT_EQ(policy.queues[4].ecn, (EcnPolicy{{ThresholdUnit::bytes, 40'000}, {ThresholdUnit::bytes, 40'000}, 1, true}));
  EXPECT_EQ(policy.queues[2].ecn, (EcnPolicy{{ThresholdUnit::bytes, 100'000}, {ThresholdUnit::bytes, 2'000'000}, 0.7, false}));
}

TEST(Nxos, a_watchdog_counts_intervals) {
  Estate estate;
  read_config({"leaf.cfg", "leaf",
               "priority-flow-control auto-restore multiplier 4\npriority-flow-control watch-dog shutdown-multiplier 3\n"
               "priority-flow-control watch-dog interval 200\n"
               "policy-map type network-qos n\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n"
               "interface Ethernet1/1\n  priority-flow-control watch-dog-interval on disable-action\n"
               "  priority-flow-control mode off\n"
               "interface Ethernet1/2\n  no shutdown\n"},
              estate);
  ASSERT_EQ(estate.devices.size(), 1U);
  const Device& leaf = estate.devices[0];
  ASSERT_EQ(leaf.ports.size(), 2U);
  const QosPolicy& first = leaf.policies[leaf.ports[0].policy];
  const WatchdogPolicy watched{true, from_seconds(0.6), from_seconds(0.8), from_seconds(0.2), StormAction::alert};
  EXPECT_EQ(first.watchdog, watched);
  EXPECT_EQ(first.pfc_mode, PfcMode::forced);
  EXPECT_EQ(leaf.policies[leaf.ports[1].policy].watchdog, WatchdogPolicy());
  EXPECT_EQ(leaf.policies[leaf.ports[1].policy].pfc_mode, PfcMode::negotiated);
}

}  // namespace
}  // namespace railyard
