#include "config/write/write.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/json.h"
#include "config/write/testing.h"
#include "config/write/words.h"

namespace railyard {
namespace {

std::string text_of(Dialect dialect) {
  Result<ConfigFile> file = write_config(sayable_device(dialect));
  EXPECT_TRUE(file) << (file ? "" : to_text(file.error().front()));
  return file ? file->text : "";
}

void expect_lines(const std::string& text, std::initializer_list<const char*> lines) {
  for (const char* line : lines) EXPECT_NE(text.find(line), std::string::npos) << line << "\nis not in\n" << text;
}

TEST(Words, lists_of_numbers_are_short) {
  EXPECT_EQ(ranges({0, 1, 2, 4, 6, 7}), "0-2,4,6-7");
  EXPECT_EQ(bit_list(0b1001000), "3,6");
  EXPECT_EQ(bit_row(0b1000), "0,0,0,1,0,0,0,0");
  EXPECT_EQ(binary(26, 6), "011010");
}

TEST(Write, sonic_has_maps_queues_groups_and_a_watchdog) {
  const Result<Document> json = parse_json(text_of(Dialect::sonic), "leaf.json", "RY-CFG-003");
  ASSERT_TRUE(json);
  const auto at = [&](std::initializer_list<const char*> path) {
    const Document* here = &*json;
    for (const char* key : path)
      if (here) here = here->find(key);
    return here && here->text() ? *here->text() : "";
  };
  EXPECT_EQ(at({"PORT", "Ethernet0", "speed"}), "400000");
  EXPECT_EQ(at({"PORT", "Ethernet0", "mtu"}), "9216");
  EXPECT_EQ(at({"CABLE_LENGTH", "AZURE", "Ethernet8"}), "30m");
  EXPECT_EQ(at({"PORT_QOS_MAP", "Ethernet0", "pfc_enable"}), "3");
  EXPECT_EQ(at({"PORT_QOS_MAP", "Ethernet0", "pfcwd_sw_enable"}), "3");
  EXPECT_EQ(at({"DSCP_TO_TC_MAP", "ROCE", "26"}), "3");
  EXPECT_EQ(at({"DSCP_TO_TC_MAP", "ROCE", "63"}), "0");
  EXPECT_EQ(at({"WRED_PROFILE", "ROCE", "green_min_threshold"}), "1048576");
  EXPECT_EQ(at({"WRED_PROFILE", "ROCE", "ecn"}), "ecn_all");
  EXPECT_EQ(at({"BUFFER_PROFILE", "pg_lossless_profile", "xoff"}), "374784");
  EXPECT_EQ(at({"BUFFER_PROFILE", "pg_lossless_profile", "size"}), "394240");
  EXPECT_EQ(at({"BUFFER_PROFILE", "pg_lossless_profile", "dynamic_th"}), "-3");
  EXPECT_EQ(at({"BUFFER_PG", "Ethernet8|3", "profile"}), "pg_lossless_profile");
  EXPECT_EQ(at({"PFC_WD", "Ethernet0", "detection_time"}), "200");
  EXPECT_EQ(at({"PFC_WD", "GLOBAL", "POLL_INTERVAL"}), "100");
  EXPECT_EQ(at({"DEVICE_METADATA", "localhost", "type"}), "LeafRouter");
}

TEST(Write, ports_that_do_different_things_have_profiles_of_their_own) {
  Device device = sayable_device(Dialect::sonic);
  device.policies.push_back(device.policies.front());
  device.policies[1].groups[3].headroom = 500'000_B;
  device.ports[1].policy = 1;
  const Result<ConfigFile> file = write_config(device);
  ASSERT_TRUE(file);
  expect_lines(file->text, {"\"pg_lossless_profile\"", "\"pg_lossless_profile_2\"", "\"xoff\": \"500000\""});
  EXPECT_EQ(file->text.find("\"ROCE_2\""), std::string::npos);  // maps are shared
}

TEST(Write, nvue_sets_profiles) {
  expect_lines(text_of(Dialect::nvue),
               {"nv set qos mapping default-global trust l3\n", "nv set qos mapping default-global dscp 26 switch-priority 3\n",
                "nv set qos mapping default-global dscp 0-25,27-47,49-63 switch-priority 0\n",
                "nv set qos egress-scheduler default-global traffic-class 6 mode strict\n",
                "nv set qos pfc default-global switch-priority 3\n", "nv set qos pfc default-global cable-length 30\n",
                "nv set qos congestion-control default-global traffic-class 3 min-threshold 1048576\n",
                "nv set qos pfc-watchdog robustness 2\n", "nv set system forwarding hash-seed 10\n",
                "nv set interface swp1 link mtu 9216\n", "nv config apply\n"});
}

TEST(Write, eos_has_a_qos_profile) {
  expect_lines(text_of(Dialect::eos),
               {"qos map dscp 26 to traffic-class 3\n", "qos profile ROCE\n", "   tx-queue 6\n      priority strict\n",
                "random-detect ecn minimum-threshold 1048576 bytes maximum-threshold 2097152 bytes max-mark-probability 5\n",
                "   priority-flow-control priority 3 no-drop\n",
                "watchdog port timer timeout 0.2 polling-interval 0.1 recovery-time 0.2\n",
                "interface Ethernet1/1\n   mtu 9216\n   service-profile ROCE\n"});
}

TEST(Write, nxos_has_three_policies) {
  expect_lines(
      text_of(Dialect::nxos),
      {"class-map type qos match-any CLASS-3\n  match dscp 26\n", "    pause pfc-cos 3\n    mtu 9216\n",
       "  class type queuing c-out-8q-q6\n    priority level 1\n",
       "random-detect minimum-threshold 1048576 bytes maximum-threshold 2097152 bytes drop-probability 5 weight 0 ecn\n",
       "priority-flow-control watch-dog interval 100\n", "watch-dog shutdown-multiplier 2\n", "universal-id 10\n",
       "  priority-flow-control mode on\n"});
}

TEST(Write, junos_writes_marks_in_binary) {
  expect_lines(text_of(Dialect::junos),
               {"class TC3 queue-num 3 no-loss pfc-priority 3;", "loss-priority low code-points [ 011010 ];",
                "fill-level [ 55 90 ];", "drop-probability [ 0 100 ];", "code-point 011010 { pfc; }",
                "code-point 011 { flow-control-queue 3; }", "buffer-partition lossless-headroom { percent 24; }",
                "explicit-congestion-notification;", "hash-seed 10;", "mtu 9216;"});
  const std::string text = text_of(Dialect::junos);
  EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
}

TEST(Write, scripts_for_nics_are_what_operators_run) {
  expect_lines(text_of(Dialect::mlnx),
               {"mlnx_qos -i eth0 --trust dscp\n", "mlnx_qos -i eth0 --pfc 0,0,0,1,0,0,0,0\n",
                "echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class\n", "cma_roce_tos -d mlx5_0 -t 106\n",
                "echo 48 > /sys/class/net/eth0/ecn/roce_np/cnp_dscp\n", "ip link set dev eth0 mtu 4200\n",
                "mlxconfig -y -d mlx5_0 set DCBX_WILLING_P1=0\n"});
  expect_lines(
      text_of(Dialect::nicctl),
      {"nicctl update qos --classification-type dscp\n", "nicctl update qos dscp-to-priority --dscp 24-31 --priority 3\n",
       "nicctl update qos pfc --priority 3 --no-drop enable\n", "--cnp-dscp 46\n",
       "nicctl update qos scheduling --priority 0,3,6 --dwrr 50,50,0 --rate-limit 0,0,10\n"});
}

TEST(Write, variables_say_what_they_are_for) {
  expect_lines(text_of(Dialect::environment), {"NCCL_IB_GID_INDEX=3\n", "NCCL_IB_TC=106\n", "# ToS of RoCE: DSCP × 4"});
}

TEST(Write, refuses_by_name_what_a_dialect_cannot_say) {
  const Result<ConfigFile> eos = write_config(switch_device(Dialect::eos));
  ASSERT_FALSE(eos);
  const auto says = [&](const Result<ConfigFile>& file, std::string_view code, std::string_view what) {
    return std::any_of(file.error().begin(), file.error().end(),
                       [&](const Diagnostic& d) { return d.code == code && d.message.find(what) != std::string::npos; });
  };
  EXPECT_TRUE(says(eos, "RY-CFG-010", "groups[].headroom"));
  EXPECT_TRUE(says(eos, "RY-CFG-010", "watched"));
  EXPECT_TRUE(says(eos, "RY-CFG-010", "hash.seed"));
  Device junos = sayable_device(Dialect::junos);
  junos.policies[0].queues[3].ecn->kmin = {ThresholdUnit::bytes, 150'000};
  ASSERT_FALSE(write_config(junos));
  EXPECT_TRUE(says(write_config(junos), "RY-CFG-011", "queues[].ecn"));
  Device sonic = sayable_device(Dialect::sonic);
  sonic.policies[0].link_pause = true;
  EXPECT_TRUE(says(write_config(sonic), "RY-CFG-010", "link_pause"));
  sonic = sayable_device(Dialect::sonic);
  sonic.policies[0].groups[3].alpha = 0.3;
  EXPECT_TRUE(says(write_config(sonic), "RY-CFG-011", "alpha"));
  EXPECT_TRUE(says(write_config(switch_device(Dialect::os10)), "RY-CFG-012", "os10"));
}

/// The refusals of a device that its dialect could say before the change.
std::string refusals(Dialect dialect, void (*change)(Device&)) {
  Device device = sayable_device(dialect);
  change(device);
  const Result<ConfigFile> file = write_config(device);
  std::string text;
  if (!file)
    for (const Diagnostic& one : file.error()) text += one.code + " " + one.message + "\n";
  return text;
}

TEST(Write, refuses_values_that_a_device_would_not_take) {
  const auto expect = [](const std::string& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in '" << text << "'";
  };
  expect(refusals(Dialect::eos,
                  [](Device& d) {
                    d.policies[0].class_of_dscp[56] = 7;
                    d.policies[0].queues[7].strict = false;
                  }),
         "queues[].strict");
  expect(refusals(Dialect::eos, [](Device& d) { d.policies[0].pfc_mode = PfcMode::negotiated; }), "pfc_mode");
  expect(refusals(Dialect::nxos, [](Device& d) { d.hash.fields = {"src-ip", "src-port"}; }), "hash.fields");
  expect(refusals(Dialect::nxos, [](Device& d) { d.policies[0].class_of_dscp.fill(0); }), "trust");
  expect(refusals(Dialect::nxos, [](Device& d) { d.policies[0].queues[1].weight = 30; }), "queues[].weight");
  expect(refusals(Dialect::nvue, [](Device& d) { d.policies[0].watchdog.poll = Picoseconds(1); }), "watchdog");
  expect(refusals(Dialect::nvue, [](Device& d) { d.buffer.lossless_percent = 100; }), "lossy_percent");
  expect(refusals(Dialect::junos, [](Device& d) { d.policies[0].pfc |= 1U << 5; }), "pfc of priorities that no mark leads to");
  expect(refusals(Dialect::junos, [](Device& d) { d.policies[0].trust = Trust::port; }), "trust = port");
  expect(refusals(Dialect::junos,
                  [](Device& d) {
                    d.policies[0].trust = Trust::pcp;
                    d.policies[0].class_of_pcp[5] = 3;
                  }),
         "goes by PCP 3 alone");
  expect(refusals(Dialect::sonic, [](Device& d) { d.policies[0].watchdog.detection.reset(); }), "watchdog.detection");
  expect(refusals(Dialect::sonic, [](Device& d) { d.policies[0].groups[3].has_buffer = false; }), "groups[].has_buffer");
  expect(refusals(Dialect::mlnx, [](Device& d) { d.policies[0].queues[0].weight = 10; }), "60 per cent together");
  expect(refusals(Dialect::mlnx, [](Device& d) { d.nics[0].dcbx_willing = d.nics[0].dcbx_firmware = true; }), "pfc_mode");
  expect(refusals(Dialect::nicctl, [](Device& d) { d.nics[0].traffic_class = 106; }), "traffic_class");
}

TEST(Write, what_decides_nothing_is_no_reason_to_refuse) {
  EXPECT_EQ(refusals(Dialect::sonic, [](Device& d) { d.policies[0].class_of_pcp.fill(5); }), "");
  EXPECT_EQ(refusals(Dialect::eos, [](Device& d) { d.policies[0].queues[7].strict = false; }), "") << "nothing leads to it";
  EXPECT_EQ(refusals(Dialect::nxos, [](Device& d) { d.policies[0].watchdog.enabled = false; }), "");
}

TEST(Write, what_is_left_to_the_device_is_told) {
  std::vector<std::string> left_out;
  const Device device = sayable(switch_device(Dialect::nxos), left_out);
  EXPECT_TRUE(write_config(device));
  EXPECT_FALSE(device.policies[0].groups[3].headroom);
  EXPECT_TRUE(device.policies[0].groups[3].has_buffer);
  EXPECT_NE(
      std::find_if(left_out.begin(), left_out.end(), [](const std::string& s) { return s.starts_with("groups[].headroom"); }),
      left_out.end());
}

TEST(Write, policies_that_do_the_same_become_one) {
  Device device = switch_device(Dialect::nvue);
  device.policies.push_back(device.policies.front());
  device.policies[1].groups[3].headroom = 1_MiB;
  device.ports[1].policy = 1;
  std::vector<std::string> left_out;
  const Device merged = sayable(device, left_out);
  EXPECT_EQ(merged.policies.size(), 1U);
  EXPECT_EQ(merged.ports[1].policy, 0U);
}

}  // namespace
}  // namespace railyard
