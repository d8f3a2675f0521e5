#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "config/read/read.h"

namespace railyard {
namespace {

/// A leaf as config_db.json has it, nested.
constexpr const char* kSonicLeaf = R"({
  "DEVICE_METADATA": {"localhost": {"hostname": "leaf01", "hwsku": "SN5600", "type": "ToRRouter"}},
  "PORT": {
    "Ethernet0": {"speed": "400000", "mtu": "9100", "admin_status": "up", "description": "gpu01:eth0", "lanes": "1,2"},
    "Ethernet4": {"speed": "400000", "mtu": "9100", "admin_status": "up"},
    "Ethernet8": {"speed": "400000", "mtu": "1500"}
  },
  "DEVICE_NEIGHBOR": {"Ethernet4": {"name": "spine01", "port": "Ethernet16"}},
  "CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m", "Ethernet4": "40m"}},
  "DSCP_TO_TC_MAP": {"AZURE": {
    "26": "3",
    "48": "6"}},
  "TC_TO_QUEUE_MAP": {"AZURE": {"0": "0", "3": "3", "6": "6"}},
  "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"3": "4"}},
  "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": {"AZURE": {"3": "4", "0": "0"}},
  "MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": {"3": "3"}},
  "PORT_QOS_MAP": {
    "Ethernet0,Ethernet4": {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "[TC_TO_QUEUE_MAP|AZURE]",
      "tc_to_pg_map": "AZURE", "pfc_to_pg_map": "AZURE", "pfc_to_queue_map": "AZURE",
      "pfc_enable": "3", "pfcwd_sw_enable": "3"}
  },
  "SCHEDULER": {"strict": {"type": "STRICT"}, "lossless": {"type": "DWRR", "weight": "15"}},
  "WRED_PROFILE": {
    "ROCE": {"ecn": "ecn_all", "green_min_threshold": "1048576", "green_max_threshold": "2097152",
      "green_drop_probability": "5"}
  },
  "QUEUE": {
    "Ethernet0,Ethernet4|3": {"scheduler": "lossless", "wred_profile": "[WRED_PROFILE|ROCE]"},
    "Ethernet0,Ethernet4|6-7": {"scheduler": "strict"}
  },
  "BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress", "size": "1000000", "xoff": "200000"}},
  "BUFFER_PROFILE": {
    "lossless": {"pool": "ingress_lossless_pool", "size": "60000", "xon": "1000", "xoff": "50000", "dynamic_th": "-3"},
    "out": {"size": "1518", "dynamic_th": "3"}
  },
  "BUFFER_PG": {"Ethernet0|4": {"profile": "lossless"}, "Ethernet4|4": {"profile": "NULL"}},
  "BUFFER_QUEUE": {"Ethernet0|3-4": {"profile": "out"}},
  "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "100"},
    "Ethernet0": {"action": "forward", "detection_time": "200", "restoration_time": "400"}},
  "SWITCH_HASH": {"GLOBAL": {"ecmp_hash": ["SRC_IP", "DST_IP", "RDMA_BTH_DEST_QP"], "ecmp_hash_algorithm": "CRC"}},
  "NTP_SERVER": {"10.0.0.1": {}, "10.0.0.2": {}}
})";

Estate read_sonic(const std::string& text, const std::string& file = "leaf01.json", const std::string& device = "leaf01") {
  Estate estate;
  const Diagnostics found = read_config({file, device, text}, estate);
  EXPECT_TRUE(found.empty()) << (found.empty() ? "" : to_text(found.front()));
  return estate;
}

void add_sonic(Estate& estate, const std::string& text, const std::string& file) {
  const Diagnostics found = read_config({file, "leaf01", text}, estate);
  EXPECT_TRUE(found.empty()) << (found.empty() ? "" : to_text(found.front()));
}

const QosPolicy& sonic_policy(const Device& device, std::string_view name) {
  const auto port = std::find_if(device.ports.begin(), device.ports.end(), [&](const auto& p) { return p.name == name; });
  EXPECT_NE(port, device.ports.end()) << name;
  return device.policies.at(port->policy);
}

TEST(Sonic, maps_lead_from_marks_to_pauses) {
  const Estate estate = read_sonic(kSonicLeaf);
  ASSERT_EQ(estate.devices.size(), 1U);
  const QosPolicy& policy = sonic_policy(estate.devices[0], "Ethernet0");
  EXPECT_EQ(policy.trust, Trust::dscp);
  EXPECT_EQ(policy.class_of(26, 0), 3);
  EXPECT_EQ(policy.class_of(48, 0), 6);
  EXPECT_EQ(policy.class_of(10, 0), 0);  // not in the map
  EXPECT_EQ(policy.queue_of_class[3], 3);
  EXPECT_EQ(policy.group_of_class[3], 4);
  EXPECT_EQ(policy.pausing_priority(3), 3);  // group 4 is paused by priority 3
  EXPECT_EQ(policy.pfc, 1U << 3);
  EXPECT_EQ(policy.watched, 1U << 3);
}

TEST(Sonic, queues_have_schedulers_marking_and_buffers) {
  const Estate estate = read_sonic(kSonicLeaf);
  const QosPolicy& policy = sonic_policy(estate.devices[0], "Ethernet0");
  const QueuePolicy& queue = policy.queues[3];
  EXPECT_FALSE(queue.strict);
  EXPECT_EQ(queue.weight, 15U);
  EXPECT_TRUE(policy.queues[6].strict && policy.queues[7].strict);
  ASSERT_TRUE(queue.ecn);
  EXPECT_EQ(*queue.ecn, (EcnPolicy{{ThresholdUnit::bytes, 1048576}, {ThresholdUnit::bytes, 2097152}, 0.05, true}));
  EXPECT_EQ(queue.reserve, 1518_B);
  EXPECT_EQ(queue.alpha, 8);
  EXPECT_FALSE(policy.queues[0].ecn);
}

TEST(Sonic, groups_have_headroom_and_a_power_of_two) {
  const Estate estate = read_sonic(kSonicLeaf);
  const GroupPolicy& group = sonic_policy(estate.devices[0], "Ethernet0").groups[4];
  EXPECT_TRUE(group.has_buffer);
  EXPECT_EQ(group.headroom, 50000_B);
  EXPECT_EQ(group.reserve, 10000_B);  // size less headroom
  EXPECT_EQ(group.xon, 1000_B);
  EXPECT_EQ(group.alpha, 0.125);
  const GroupPolicy& dynamic = sonic_policy(estate.devices[0], "Ethernet4").groups[4];
  EXPECT_TRUE(dynamic.has_buffer);  // NULL: the switch computes it
  EXPECT_FALSE(dynamic.headroom);
}

TEST(Sonic, a_watchdog_counts_in_milliseconds) {
  const Estate estate = read_sonic(kSonicLeaf);
  const WatchdogPolicy& watchdog = sonic_policy(estate.devices[0], "Ethernet0").watchdog;
  EXPECT_TRUE(watchdog.enabled);
  EXPECT_EQ(watchdog.detection, Picoseconds(200'000'000'000));
  EXPECT_EQ(watchdog.restoration, Picoseconds(400'000'000'000));
  EXPECT_EQ(watchdog.poll, Picoseconds(100'000'000'000));
  EXPECT_EQ(watchdog.action, StormAction::forward);
  EXPECT_FALSE(sonic_policy(estate.devices[0], "Ethernet4").watchdog.enabled);
}

TEST(Sonic, a_port_without_maps_puts_everything_into_class_0) {
  const Estate estate = read_sonic(kSonicLeaf);
  const QosPolicy& policy = sonic_policy(estate.devices[0], "Ethernet8");
  EXPECT_EQ(policy.trust, Trust::port);
  EXPECT_EQ(policy.class_of(26, 3), 0);
  EXPECT_EQ(policy.queue_of_class[3], 0);
  EXPECT_EQ(policy.pfc, 0);
  EXPECT_TRUE(policy.said.empty());
}

TEST(Sonic, the_device_has_names_ports_and_hash) {
  const Estate estate = read_sonic(kSonicLeaf, "x.json", "x");
  const Device& device = estate.devices[0];
  EXPECT_EQ(device.name, "leaf01");
  EXPECT_EQ(device.model, "SN5600");
  EXPECT_EQ(device.role, Role::leaf);
  ASSERT_EQ(device.ports.size(), 3U);
  EXPECT_EQ(device.ports[0].speed, 400_Gbps);
  EXPECT_EQ(device.ports[0].cable, 5_m);
  EXPECT_EQ(device.ports[0].mtu, 9100_B);
  EXPECT_EQ(device.ports[0].neighbour, "gpu01");
  EXPECT_EQ(device.ports[1].neighbour, "spine01");
  EXPECT_EQ(device.ports[1].neighbour_port, "Ethernet16");
  EXPECT_TRUE(device.ports[1].enabled);
  EXPECT_FALSE(device.ports[2].enabled);  // down unless it says up
  EXPECT_EQ(device.buffer.size, 1000000_B);
  EXPECT_EQ(device.buffer.headroom_pool, 200000_B);
  EXPECT_EQ(device.hash.fields, (std::vector<std::string>{"src-ip", "dst-ip", "qpn"}));
  EXPECT_EQ(device.hash.function, "CRC");
  EXPECT_EQ(device.hash.seed, 0U);  // of a ToRRouter
}

TEST(Sonic, statements_have_their_lines) {
  const Estate estate = read_sonic(kSonicLeaf);
  const auto& said = sonic_policy(estate.devices[0], "Ethernet0").said;
  EXPECT_EQ(said.at("dscp.26").line, 11U);
  EXPECT_EQ(said.at("dscp.48").line, 12U);
  EXPECT_EQ(said.at("pfc.3").line, 18U);
  EXPECT_EQ(said.at("trust").line, 18U);
  EXPECT_EQ(said.at("queue.3.ecn").line, 24U);
  EXPECT_EQ(said.at("queue.3").line, 28U);
  EXPECT_EQ(said.at("group.4").line, 33U);
  EXPECT_EQ(said.at("watchdog").line, 39U);
  EXPECT_EQ(said.count("dscp.10"), 0U);
  EXPECT_EQ(estate.devices[0].ports[1].where.line, 5U);
}

TEST(Sonic, what_nothing_reads_is_listed_once_per_kind) {
  const Estate estate = read_sonic(kSonicLeaf);
  ASSERT_EQ(estate.devices[0].unread.size(), 1U);
  EXPECT_EQ(estate.devices[0].unread[0].statement, "table NTP_SERVER");
  EXPECT_EQ(estate.devices[0].unread[0].times, 2U);
  EXPECT_EQ(estate.devices[0].unread[0].where.line, 41U);
  const Estate lost = read_sonic(R"({"PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "GONE", "scheduler": "s"}}})");
  ASSERT_EQ(lost.devices[0].unread.size(), 2U);
  EXPECT_EQ(lost.devices[0].unread[0].statement, "PORT_QOS_MAP scheduler");
  EXPECT_EQ(lost.devices[0].unread[1].statement, "dscp_to_tc_map 'GONE' is not in DSCP_TO_TC_MAP");
}

TEST(Sonic, a_flat_dump_says_the_same) {
  const Estate flat = read_sonic(R"({
    "PORT|Ethernet0": {"speed": "100000", "admin_status": "up"},
    "DOT1P_TO_TC_MAP|M": {"3": "3"},
    "PORT_QOS_MAP|Ethernet0": {"dot1p_to_tc_map": "[DOT1P_TO_TC_MAP|M]", "pfc_enable": "3,4"},
    "BUFFER_PG|Ethernet0|3-4": {"profile": "[BUFFER_PROFILE|pg_lossless_100000_5m_profile]"},
    "SWITCH_HASH|GLOBAL": {"ecmp_hash@": "SRC_IP,L4_SRC_PORT"}})");
  const QosPolicy& policy = sonic_policy(flat.devices[0], "Ethernet0");
  EXPECT_EQ(policy.trust, Trust::pcp);
  EXPECT_EQ(policy.class_of(0, 3), 3);
  EXPECT_EQ(policy.pfc, 0x18);
  EXPECT_TRUE(policy.groups[3].has_buffer && policy.groups[4].has_buffer);
  EXPECT_TRUE(flat.devices[0].hash.has("src-port"));
  const Estate redis = read_sonic(R"({"PORT|Ethernet0": {"type": "hash", "value": {"speed": "100000"}, "ttl": -0.001}})");
  EXPECT_EQ(redis.devices[0].ports.at(0).speed, 100_Gbps);
  EXPECT_TRUE(redis.devices[0].policies.empty());  // says nothing of QoS
}

TEST(Sonic, parts_of_a_configuration_are_laid_over_each_other) {
  Estate estate;
  add_sonic(estate, R"({"CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m"}}, "BUFFER_PROFILE": {"p": {"xoff": "7", "size": "9"}},
                  "BUFFER_PG": {"Ethernet0|3": {"profile": "p"}}})",
            "leaf01/buffers.json");
  add_sonic(estate, R"({"DSCP_TO_TC_MAP": {"A": {"26": "3"}}, "PORT_QOS_MAP": {"global": {"dscp_to_tc_map": "A"},
                  "Ethernet0": {"pfc_enable": "3"}}})",
            "leaf01/qos.json");
  ASSERT_EQ(estate.devices.size(), 1U);
  ASSERT_EQ(estate.devices[0].policies.size(), 1U);
  const QosPolicy& policy = estate.devices[0].policies[0];
  EXPECT_EQ(policy.groups[3].headroom, 7_B);
  EXPECT_EQ(policy.class_of(26, 0), 3);  // of the whole switch
  EXPECT_TRUE(policy.has_pfc(3));
}

TEST(Sonic, a_device_goes_by_its_own_name_and_by_its_folder) {
  Estate estate;
  add_sonic(estate, R"({"PORT": {"Ethernet0": {"speed": "400000"}}, "DEVICE_METADATA": {"localhost": {"hostname": "tor-7"}}})",
            "configs/leaf01/config_db.json");
  add_sonic(
      estate,
      "     PORT    ACTION    DETECTION TIME    RESTORATION TIME\n---------  --------  ---  ---\nEthernet0  drop  200  200\n",
      "configs/leaf01/pfcwd.txt");
  ASSERT_EQ(estate.devices.size(), 1U);
  EXPECT_EQ(estate.devices[0].name, "tor-7");
  EXPECT_EQ(estate.devices[0].files.size(), 2U);
  EXPECT_TRUE(estate.devices[0].policies.at(0).watchdog.enabled);
}

TEST(Sonic, printed_watchdogs_and_profiles_are_configuration) {
  const Estate watchdogs = read_sonic(
      "root@sonic:~# pfcwd show config\nChanged polling interval to 600ms\n"
      "     PORT    ACTION    DETECTION TIME    RESTORATION TIME    HISTORY\n---------  --------  ---  ---  ---\n"
      "Ethernet0     alert               700                 800    disable\n");
  const WatchdogPolicy& watchdog = sonic_policy(watchdogs.devices[0], "Ethernet0").watchdog;
  EXPECT_EQ(watchdog.poll, Picoseconds(600'000'000'000));
  EXPECT_EQ(watchdog.detection, Picoseconds(700'000'000'000));
  EXPECT_EQ(watchdog.action, StormAction::alert);
  const Estate profiles = read_sonic(
      "Profile: ROCE\n-----------------------  -------\necn                      ecn_all\ngreen_min_threshold      1000\n"
      "green_max_threshold      2000\ngreen_drop_probability   7\n-----------------------  -------\n");
  const QosPolicy& policy = profiles.devices[0].policies.at(0);
  ASSERT_TRUE(policy.queues[3].ecn && policy.queues[4].ecn);
  EXPECT_EQ(policy.queues[3].ecn->kmax.value, 2000);
  EXPECT_EQ(policy.queues[3].ecn->pmax, 0.07);
}

TEST(Sonic, the_buffer_manager_gives_headroom_by_speed_and_cable) {
  Estate estate;
  add_sonic(estate,
            R"({"PORT": {"Ethernet0": {"speed": "400000"}, "Ethernet4": {"speed": "100000"}, "Ethernet8": {"speed": "400000"}},
      "CABLE_LENGTH": {"AZURE": {"Ethernet0": "40m", "Ethernet4": "40m"}},
      "PORT_QOS_MAP": {"Ethernet0,Ethernet4,Ethernet8": {"pfc_enable": "3"}}})",
            "leaf01/config_db.json");
  EXPECT_TRUE(sonic_policy(estate.devices[0], "Ethernet0").groups[3].has_buffer);
  EXPECT_FALSE(sonic_policy(estate.devices[0], "Ethernet8").groups[3].has_buffer);  // no cable, no buffer
  add_sonic(estate,
            "# PG lossless profiles.\n# speed cable size    xon  xoff    threshold xon_offset\n400000 40m 18000 9000 424434 -2 "
            "3556\n",
            "leaf01/pg_profile_lookup.ini");
  const GroupPolicy& group = sonic_policy(estate.devices[0], "Ethernet0").groups[3];
  EXPECT_EQ(group.headroom, 424434_B);
  EXPECT_EQ(group.xon_offset, 3556_B);
  EXPECT_EQ(group.alpha, 0.25);
  EXPECT_FALSE(sonic_policy(estate.devices[0], "Ethernet4").groups[3].has_buffer);  // the table has no such row
}

TEST(Sonic, answers_of_openconfig_are_the_same_tables) {
  const Estate estate = read_sonic(R"({"openconfig-qos:qos": {
    "interfaces": {"interface": [{"interface-id": "Eth1/5",
      "pfc": {"pfc-priorities": {"pfc-priority": [{"dot1p": 3, "config": {"dot1p": 3, "enable": true}}]},
              "watchdog": {"config": {"action": "DROP", "detection-time": 100, "restoration-time": 200}}},
      "output": {"scheduler-policy": {"config": {"name": "sp"}}},
      "openconfig-qos-buffer:cable-length": {"config": {"length": "5m"}},
      "openconfig-qos-maps-ext:interface-maps": {"config": {"dscp-to-forwarding-group": "d"}}}]},
    "queues": {"queue": [{"name": "Eth1/5:3", "wred": {"config": {"wred-profile": "w"}}}]},
    "scheduler-policies": {"scheduler-policy": [{"name": "sp", "schedulers": {"scheduler": [
      {"sequence": 3, "config": {"sequence": 3, "openconfig-qos-ext:weight": 40}}]}}]},
    "openconfig-qos-ext:wred-profiles": {"wred-profile": [{"name": "w", "config": {"name": "w", "ecn": "ECN_ALL",
      "green-min-threshold": "1000", "green-max-threshold": "2000", "green-drop-probability": "50"}}]},
    "openconfig-qos-maps-ext:dscp-maps": {"dscp-map": [{"name": "d", "dscp-map-entries": {"dscp-map-entry": [
      {"dscp": 26, "config": {"dscp": 26, "fwd-group": "3"}}]}}]}}})");
  const QosPolicy& policy = sonic_policy(estate.devices[0], "Eth1/5");
  EXPECT_EQ(policy.class_of(26, 0), 3);
  EXPECT_TRUE(policy.has_pfc(3));
  EXPECT_EQ(policy.queues[3].weight, 40U);
  ASSERT_TRUE(policy.queues[3].ecn);
  EXPECT_EQ(policy.queues[3].ecn->pmax, 0.5);
  EXPECT_EQ(policy.watchdog.detection, Picoseconds(100'000'000'000));
  EXPECT_EQ(estate.devices[0].ports.at(0).cable, 5_m);
}

TEST(Sonic, neighbours_come_from_lldp) {
  const Estate table = read_sonic(
      "Capability codes: (R) Router\nLocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr\n"
      "-----------  --------------  --------------  ------------  -----------------\n"
      "Ethernet0    spine 01        Ethernet4       BR            to leaf\n"
      "--------------------------------------------------\nTotal entries displayed:  1\n");
  ASSERT_EQ(table.devices[0].ports.size(), 1U);
  EXPECT_EQ(table.devices[0].ports[0].neighbour, "spine 01");
  EXPECT_EQ(table.devices[0].ports[0].neighbour_port, "Ethernet4");
  const Estate json = read_sonic(R"({"lldp": {"interface": [{"swp1": {"chassis": {"spine02": {"descr": "x"}},
    "port": {"id": {"type": "ifname", "value": "swp9"}}}}]}})");
  ASSERT_EQ(json.devices[0].ports.size(), 1U);
  EXPECT_EQ(json.devices[0].dialect, Dialect::nvue);
  EXPECT_EQ(json.devices[0].ports[0].neighbour, "spine02");
  EXPECT_EQ(json.devices[0].ports[0].neighbour_port, "swp9");
}

TEST(Sonic, broken_json_is_an_error_with_its_line) {
  Estate estate;
  const Diagnostics found = read_config({"leaf01.json", "leaf01", "{\n\"PORT\": {\n\"Ethernet0\": {,}\n}}"}, estate);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "RY-CFG-003");
  EXPECT_EQ(found[0].severity, Severity::error);
  EXPECT_EQ(found[0].where.line, 3U);
  EXPECT_TRUE(estate.devices.empty());
}

TEST(Sonic, counters_are_no_configuration) {
  Estate estate;
  const Diagnostics found = read_config({"x", "x", R"({"id": "COUNTERS_DB", "data": {"PORT": {}}})"}, estate);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "RY-CFG-001");
}

TEST(Sonic, ten_thousand_ports_share_a_policy) {
  std::string text = R"({"DSCP_TO_TC_MAP": {"A": {"26": "3"}}, "PORT_QOS_MAP": {"global": {"dscp_to_tc_map": "A"})";
  for (int i = 0; i < 10'000; i++)
    text += fmt::format(",\n\"Ethernet{}\": {{\"dscp_to_tc_map\": \"A\", \"pfc_enable\": \"3\"}}", i);
  const Estate estate = read_sonic(text + "}}");
  EXPECT_EQ(estate.devices[0].ports.size(), 10'000U);
  EXPECT_EQ(estate.devices[0].policies.size(), 1U);
}

}  // namespace
}  // namespace railyard
