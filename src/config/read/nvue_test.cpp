#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "config/read/nvue_statements.h"
#include "config/read/read.h"

namespace railyard {
namespace {

Device read_nvue(const std::string& text) {
  Estate estate;
  const Diagnostics found = read_config({"leaf02.txt", "leaf02", text}, estate);
  EXPECT_TRUE(found.empty()) << (found.empty() ? "" : to_text(found.front()));
  return estate.devices.empty() ? Device() : estate.devices[0];
}

const QosPolicy& nvue_policy(const Device& device, std::string_view name) {
  const auto port = std::find_if(device.ports.begin(), device.ports.end(), [&](const auto& p) { return p.name == name; });
  EXPECT_NE(port, device.ports.end()) << name;
  return device.policies.at(port->policy);
}

/// What RoCE in its lossless mode does on Cumulus Linux.
void expect_lossless_roce(const QosPolicy& policy) {
  EXPECT_EQ(policy.trust, Trust::both);
  EXPECT_EQ(policy.class_of(26, 0), 3);
  EXPECT_EQ(policy.class_of(48, 0), 6);
  EXPECT_EQ(policy.queue_of_class[3], 3);
  EXPECT_EQ(policy.queue_of_class[6], 6);
  EXPECT_EQ(policy.queue_of_class[5], 0);
  EXPECT_TRUE(policy.queues[6].strict);
  EXPECT_EQ(policy.queues[3].weight, 50U);
  EXPECT_EQ(policy.queues[0].weight, 50U);
  EXPECT_EQ(policy.pfc, 1U << 3);
  EXPECT_EQ(policy.pausing_priority(3), 3);
  EXPECT_TRUE(policy.groups[3].has_buffer);
  const EcnPolicy marking{{ThresholdUnit::bytes, 150'000}, {ThresholdUnit::bytes, 1'500'000}, 1, true};
  EXPECT_EQ(policy.queues[3].ecn, marking);
  EXPECT_EQ(policy.queues[0].ecn, marking);
  EXPECT_FALSE(policy.queues[6].ecn);
}

TEST(Nvue, roce_is_turned_on_in_old_and_new_words) {
  for (const char* words : {"nv set qos roce", "nv set qos roce enable on", "nv set qos roce state enabled",
                            "cumulus@leaf02:~$ nv set qos roce mode lossless", "nv set qos roce mode lossless-single-ipool"}) {
    SCOPED_TRACE(words);
    const Device device = read_nvue(fmt::format("# made by hand\n{}\nnv set interface swp1-2 link mtu 9216\n", words));
    EXPECT_EQ(device.dialect, Dialect::nvue);
    ASSERT_EQ(device.ports.size(), 2U);
    EXPECT_EQ(device.ports[1].name, "swp2");
    EXPECT_EQ(device.ports[1].mtu, 9216_B);
    EXPECT_EQ(device.ports[1].cable, 100_m);
    ASSERT_EQ(device.policies.size(), 1U);
    expect_lossless_roce(device.policies[0]);
    EXPECT_EQ(device.policies[0].said.at("pfc.3").line, 2U);
  }
}

TEST(Nvue, lossy_roce_marks_and_does_not_pause) {
  const Device device = read_nvue("nv set qos roce mode lossy\n");
  ASSERT_EQ(device.policies.size(), 1U);
  EXPECT_EQ(device.policies[0].pfc, 0);
  EXPECT_FALSE(device.policies[0].groups[3].has_buffer);
  EXPECT_TRUE(device.policies[0].queues[3].ecn);
  const Device many = read_nvue("nv set qos roce mode lossy-multi-tc\n");
  EXPECT_EQ(many.policies.at(0).class_of(5, 0), 3);
  EXPECT_EQ(many.policies[0].queues[3].weight, 22U);
  EXPECT_EQ(many.policies[0].queues[3].ecn->pmax, 0.05);
}

TEST(Nvue, without_roce_ports_trust_pcp) {
  const Device device = read_nvue("nv set qos roce state disabled\nnv set interface swp1 link speed 400G\n");
  const QosPolicy& policy = nvue_policy(device, "swp1");
  EXPECT_EQ(policy.trust, Trust::pcp);
  EXPECT_EQ(policy.pfc, 0);
  EXPECT_EQ(policy.queues[0].weight, 12U);
  EXPECT_TRUE(policy.queues[0].ecn);
  EXPECT_FALSE(policy.queues[3].ecn);
  EXPECT_EQ(device.ports[0].speed, 400_Gbps);
}

TEST(Nvue, profiles_change_what_roce_has_set) {
  const Device device = read_nvue(
      "nv set qos roce\n"
      "nv set qos pfc default-global switch-priority 2\n"
      "nv set qos pfc default-global cable-length 50\n"
      "nv set qos egress-queue-mapping default-global switch-priority 2 traffic-class 3\n"
      "nv set qos mapping default-global dscp 26,27 switch-priority 2\n"
      "nv set qos congestion-control default-global traffic-class 3 min-threshold 40000\n"
      "nv set qos egress-scheduler default-global traffic-class 3 bw-percent 80\n"
      "nv set qos traffic-pool roce-lossless memory-percent 60\n"
      "nv set interface swp1-3 link state up\n"
      "nv set qos mapping plain trust l3\n"
      "nv set interface swp3 qos mapping profile plain\n"
      "nv set interface swp2 qos pfc-watchdog\n");
  const QosPolicy& policy = nvue_policy(device, "swp1");
  EXPECT_EQ(policy.pfc, 1U << 2);
  EXPECT_EQ(policy.class_of(27, 0), 2);
  EXPECT_EQ(policy.queue_of_class[2], 3);
  EXPECT_EQ(policy.queue_of_priority[2], 3);
  EXPECT_EQ(policy.queues[3].ecn->kmin.value, 40'000);
  EXPECT_EQ(policy.queues[3].ecn->kmax.value, 1'500'000);
  EXPECT_EQ(policy.queues[3].weight, 80U);
  EXPECT_TRUE(policy.groups[2].has_buffer);
  EXPECT_EQ(policy.said.at("dscp.26").line, 5U);
  EXPECT_EQ(device.buffer.lossless_percent, 60);
  EXPECT_EQ(device.ports[0].cable, 50_m);
  EXPECT_EQ(nvue_policy(device, "swp3").trust, Trust::dscp);
  EXPECT_EQ(nvue_policy(device, "swp3").class_of(26, 0), 3);  // a bound profile replaces the default one
  EXPECT_TRUE(nvue_policy(device, "swp2").watchdog.enabled);
  EXPECT_EQ(nvue_policy(device, "swp2").watchdog.detection, Picoseconds(300'000'000'000));
  EXPECT_FALSE(policy.watchdog.enabled);
}

TEST(Nvue, a_file_without_qos_leaves_that_of_another_alone) {
  Estate estate;
  for (const char* text :
       {"nv set qos roce\nnv set system forwarding ecmp-hash source-port disabled\nnv set interface swp1 link mtu 9216\n",
        "nv set interface swp1 link speed 400G\n"})
    EXPECT_TRUE(read_config({"leaf02.txt", "leaf02", text}, estate).empty());
  const Device& device = estate.devices.at(0);
  expect_lossless_roce(nvue_policy(device, "swp1"));
  EXPECT_FALSE(device.hash.has("src-port"));
  EXPECT_EQ(device.ports[0].speed, 400_Gbps);
}

TEST(Nvue, a_queue_is_marked_dropped_or_left_alone) {
  const Device device = read_nvue(
      "nv set qos congestion-control default-global traffic-class 0 ecn disable\n"
      "nv set qos congestion-control default-global traffic-class 2 ecn disable\n"
      "nv set qos congestion-control default-global traffic-class 2 red enable\n"
      "nv set qos congestion-control default-global traffic-class 2 min-threshold 40000\n"
      "nv set qos congestion-control default-global traffic-class 3 red enable\n");
  const QosPolicy& policy = device.policies.at(0);
  EXPECT_FALSE(policy.queues[0].ecn);
  ASSERT_TRUE(policy.queues[2].ecn);
  EXPECT_FALSE(policy.queues[2].ecn->marks);
  EXPECT_EQ(policy.queues[2].ecn->kmin.value, 40'000);
  ASSERT_TRUE(policy.queues[3].ecn);
  EXPECT_TRUE(policy.queues[3].ecn->marks);
  EXPECT_EQ(policy.watchdog, WatchdogPolicy());
}

TEST(Nvue, pfc_without_a_lossless_pool_has_no_buffer) {
  const Device without = read_nvue("nv set qos pfc default-global switch-priority 3\n");
  EXPECT_TRUE(without.policies.at(0).has_pfc(3));
  EXPECT_FALSE(without.policies[0].groups[3].has_buffer);
  const Device with = read_nvue(
      "nv set qos pfc default-global switch-priority 3\nnv set qos traffic-pool default-lossless memory-percent 50\n"
      "nv set qos pfc default-global xoff-threshold 10000\nnv set qos pfc default-global port-buffer 25000\n");
  EXPECT_TRUE(with.policies.at(0).groups[3].has_buffer);
  EXPECT_EQ(with.policies[0].groups[3].headroom, 15000_B);
}

TEST(Nvue, a_tree_says_the_same_as_lines) {
  const Device device = read_nvue(R"(- header:
    model: SN5600
    nvue-api-version: nvue_v1
    version: Cumulus Linux 5.9.0
- set:
    interface:
      swp1-2,swp9s0-1:
        link:
          mtu: 9216
        type: swp
    qos:
      roce:
        enable: on
        mode: lossless
      mapping:
        default-global:
          dscp:
            '10':
              switch-priority: 3
    router:
      adaptive-routing:
        enable: on
    system:
      hostname: rail1-leaf
      forwarding:
        hash-seed: 4711
        ecmp-hash:
          ipv6-label: off
      telemetry:
        snapshot-interval: 10
)");
  EXPECT_EQ(device.name, "rail1-leaf");
  EXPECT_EQ(device.model, "SN5600");
  EXPECT_EQ(device.version, "Cumulus Linux 5.9.0");
  ASSERT_EQ(device.ports.size(), 4U);
  EXPECT_EQ(device.ports[3].name, "swp9s1");
  expect_lossless_roce(nvue_policy(device, "swp9s1"));
  EXPECT_EQ(device.policies[0].class_of(10, 0), 3);
  EXPECT_EQ(device.policies[0].said.at("dscp.10").line, 19U);
  EXPECT_TRUE(device.hash.dynamic);
  EXPECT_EQ(device.hash.seed, 4711U);
  EXPECT_FALSE(device.hash.has("flow-label"));
  EXPECT_TRUE(device.hash.has("src-port"));
  ASSERT_EQ(device.unread.size(), 1U);
  EXPECT_EQ(device.unread[0].statement, "system telemetry");
  const Device json = read_nvue("[{\"set\":\n {\n\"qos\": {\"roce\": {\"state\": \"enabled\"}}}}]");
  expect_lossless_roce(json.policies.at(0));
}

TEST(Nvue, what_is_unset_does_not_hold) {
  const Device device = read_nvue("nv set qos roce mode lossless\nnv set interface swp1 link mtu 1500\nnv unset qos roce\n");
  EXPECT_EQ(nvue_policy(device, "swp1").pfc, 0);
  EXPECT_EQ(nvue_policy(device, "swp1").trust, Trust::pcp);
}

constexpr const char* kShown = R"(cumulus@leaf02:mgmt:~$ nv show qos roce
                    operational  applied
------------------  -----------  --------
enable                           on
mode                lossless     lossless
congestion-control
  congestion-mode   ECN
  enabled-tc        0,3
  max-threshold     1.43 MB
  min-threshold     146.48 KB
  probability       100
pfc
  pfc-priority      3
  rx-enabled        enabled
  tx-enabled        enabled
trust
  trust-mode        pcp,dscp

RoCE PCP/DSCP->SP mapping configurations
===========================================
       pcp  dscp                     switch-prio
    -  ---  -----------------------  -----------
    0  0    0,1,2,3,4,5,6,7          0
    3  3    24,25,26,27,28,29,30,31  3
    6  6    48,49,50,51,52,53,54,55  6

RoCE SP->TC mapping and ETS configurations
=============================================
       switch-prio  traffic-class  scheduler-weight
    -  -----------  -------------  ----------------
    0  0            0              DWRR-50%
    3  3            3              DWRR-50%
    6  6            6              strict-priority

RoCE pool config
===================
       name                   mode     size  switch-priorities  traffic-class
    -  ---------------------  -------  ----  -----------------  -------------
    0  lossy-default-ingress  Dynamic  50%   0,1,2,4,5,6,7      -
    1  roce-reserved-ingress  Dynamic  50%   3                  -
Exception List
=================
No Data
)";

TEST(Nvue, what_is_shown_is_what_was_configured) {
  const Device shown = read_nvue(kShown), configured = read_nvue("nv set qos roce\n");
  expect_lossless_roce(shown.policies.at(0));
  EXPECT_EQ(shown.policies[0].said.at("pfc.3").line, 13U);
  EXPECT_EQ(shown.policies[0].said.at("dscp.26").line, 24U);
  EXPECT_EQ(shown.policies[0].queues, configured.policies.at(0).queues);
  EXPECT_EQ(shown.policies[0].queue_of_class, configured.policies[0].queue_of_class);
  EXPECT_EQ(shown.buffer.lossless_percent, 50);
}

TEST(Nvue, a_port_shows_what_was_programmed) {
  const Device device = read_nvue(R"($ nv show interface swp16 qos roce status
                    operational    applied  description
------------------  -------------  -------  -------------------
congestion-control
  enabled-tc        3                       Enabled Traffic Class
  max-threshold     1.43 MB                 Congestion config max-threshold
  min-threshold     153.00 KB               Congestion config min-threshold
pfc
  pfc-priority      3                       switch-prio on which PFC is enabled
  rx-enabled        no
  tx-enabled        no
trust
  trust-mode        pcp                     Trust Setting

RoCE PCP/DSCP->SP mapping configurations
===========================================
          pcp  dscp  switch-prio
    ----  ---  ----  -----------
    roce  3    26    3
)");
  ASSERT_EQ(device.ports.size(), 1U);
  const QosPolicy& policy = nvue_policy(device, "swp16");
  EXPECT_EQ(policy.trust, Trust::pcp);
  EXPECT_EQ(policy.pfc, 0);
  EXPECT_FALSE(policy.groups[3].has_buffer);
  ASSERT_TRUE(policy.queues[3].ecn);
  EXPECT_EQ(policy.queues[3].ecn->kmin.value, 156'672);
  EXPECT_FALSE(policy.queues[0].ecn);
}

TEST(Nvue, json_shows_the_same) {
  const Device device = read_nvue(R"({"enable": "on", "mode": "lossless",
    "congestion-control": {"enabled-tc": "0,3", "min-threshold": "146.48 KB", "max-threshold": "1.43 MB", "probability": "100"},
    "pfc": {"pfc-priority": "3", "rx-enabled": "enabled", "tx-enabled": "enabled"}, "trust": {"trust-mode": "pcp,dscp"},
    "prio-map": {"3": {"dscp": "24,25,26", "pcp": "3", "switch-prio": "3"}},
    "tc-map": {"6": {"switch-prio": "6", "traffic-class": "6", "scheduler-weight": "strict-priority"}}})");
  expect_lossless_roce(device.policies.at(0));
  EXPECT_EQ(device.policies[0].said.at("dscp.24").line, 4U);
}

TEST(Nvue, broken_trees_are_errors) {
  Estate estate;
  const Diagnostics found = read_config({"x.yaml", "x", "- set:\n    qos:\n      roce: [\n"}, estate);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "RY-CFG-003");
  EXPECT_EQ(found[0].where.file, "x.yaml");
}

TEST(Nvue, ranges_and_rounded_sizes_are_put_back) {
  EXPECT_EQ(nvue::ports_of("swp1-3,swp5"), (std::vector<std::string>{"swp1", "swp2", "swp3", "swp5"}));
  EXPECT_EQ(nvue::ports_of("swp1-swp2"), (std::vector<std::string>{"swp1", "swp2"}));
  EXPECT_EQ(nvue::ports_of("swp1-2s0-1"), (std::vector<std::string>{"swp1s0", "swp1s1", "swp2s0", "swp2s1"}));
  EXPECT_EQ(nvue::ports_of("swp1-99999999"), (std::vector<std::string>{"swp1-99999999"}));
  EXPECT_EQ(nvue::ports_of("my-port"), (std::vector<std::string>{"my-port"}));
  EXPECT_EQ(nvue::size_of("146.48 KB"), 150'000);
  EXPECT_EQ(nvue::size_of("1.43 MB"), 1'500'000);
  EXPECT_EQ(nvue::size_of("153.00 KB"), 156'672);
  EXPECT_EQ(nvue::size_of("25000 B"), 25'000);
  EXPECT_FALSE(nvue::size_of("inf"));
}

}  // namespace
}  // namespace railyard
