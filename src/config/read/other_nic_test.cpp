#include <gtest/gtest.h>

#include "config/read/readers.h"

namespace railyard {
namespace {

Estate read_other_nic(const std::string& text, const std::string& file = "gpu01/dump.txt") {
  Estate estate;
  int readers = 0;
  for (const FileReader& reader : file_readers()) readers += reader.recognises({file, "gpu01", text}) ? 1 : 0;
  EXPECT_EQ(readers, 1) << text;
  EXPECT_TRUE(read_config({file, "gpu01", text}, estate).empty());
  return estate;
}

TEST(ReadBroadcom, getqos_has_every_dscp_that_has_a_priority) {
  const Estate estate = read_other_nic(R"($ niccli -dev ens1f0 getqos
IEEE 8021QAZ ETS Configuration TLV:
         PRIO_MAP: 0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:2
         TC Bandwidth: 40% 60% 0%
         TSA_MAP: 0:ets 1:ets 2:strict
IEEE 8021QAZ PFC TLV:
         PFC enabled: 3, 4
IEEE 8021QAZ APP TLV:
         APP#0:
          Priority: 7
          Sel: 5
          DSCP: 46
         APP#1:
          Priority: 3
          Sel: 3
          UDP or DCCP: 4791
)");
  const Device& host = estate.devices.at(0);
  EXPECT_EQ(host.dialect, Dialect::niccli);
  ASSERT_EQ(host.nics.size(), 1U);
  EXPECT_EQ(host.nics[0].netdev, "ens1f0");
  EXPECT_EQ(host.nics[0].cnp_priority, 7) << "the driver's default";
  const QosPolicy& policy = host.policies.at(0);
  EXPECT_EQ(policy.trust, Trust::dscp);
  EXPECT_EQ(policy.pfc, 0x18) << "a list, not a mask";
  EXPECT_EQ(policy.class_of_dscp[46], 7);
  EXPECT_EQ(policy.class_of_dscp[26], 0) << "defaults that the table does not have are gone";
  EXPECT_EQ(policy.queue_of_class[3], 1);
  EXPECT_EQ(policy.queue_of_priority[7], 2);
  EXPECT_EQ(policy.queues[1].weight, 60U);
  EXPECT_TRUE(policy.queues[2].strict);
  ASSERT_EQ(host.unread.size(), 1U);
  EXPECT_EQ(host.unread[0].statement, "UDP or DCCP");
}

TEST(ReadBroadcom, the_list_names_a_nic_and_its_index) {
  const Estate estate = read_other_nic(R"($ niccli --list_devices
1) Broadcom BCM57608 1x400G QSFP-DD PCIe Ethernet NIC (Adp#1 Port#1)
    Device Interface                          : ens1np0
    MAC Address                               : 81:82:83:84:85:88
    PCI Address                               : 0000:22:00.0
2) Broadcom BCM57608 1x400G QSFP-DD PCIe Ethernet NIC (Adp#2 Port#1)
    Device Interface                          : ens2np0
$ niccli -i 2 getqos
IEEE 8021QAZ PFC TLV:
         PFC enabled: none
)");
  const Device& host = estate.devices.at(0);
  ASSERT_EQ(host.nics.size(), 2U);
  EXPECT_EQ(host.nics[0].netdev, "ens1np0");
  EXPECT_EQ(host.nics[0].name, "");
  EXPECT_EQ(host.nics[0].speed, 400_Gbps);
  EXPECT_EQ(host.nics[0].traffic_class, 26 << 2 | 2) << "the driver marks what RoCE sends";
  EXPECT_TRUE(host.policies.at(0).said.empty());
  EXPECT_EQ(host.policies.at(1).said.count("pfc.3"), 1U);
}

TEST(ReadBroadcom, congestion_control_in_configfs_and_by_script) {
  const Estate files = read_other_nic(
      "/sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/roce_dscp:24\n/sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/"
      "cnp_dscp:46\n"
      "/sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/ecn_enable:1\n/sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/"
      "init_cr:200\n");
  const NicConfig& nic = files.devices.at(0).nics.at(0);
  EXPECT_EQ(nic.name, "bnxt_re0");
  EXPECT_EQ(nic.traffic_class, 24 << 2 | 2);
  EXPECT_EQ(nic.cnp_dscp, 46);
  EXPECT_EQ(nic.ecn_rp, 255);
  EXPECT_EQ(files.devices[0].unread.at(0).statement, "cc/init_cr");

  const Estate script = read_other_nic("bnxt_setupcc.sh -d bnxt_re1 -i ens2 -m 3 -s 30 -p 40 -r 4 -c 6\n");
  const Device& host = script.devices.at(0);
  EXPECT_EQ(host.nics.at(0).netdev, "ens2");
  EXPECT_EQ(host.policies.at(0).pfc, 0x10);
  EXPECT_EQ(host.policies[0].class_of_dscp[30], 4);
  EXPECT_EQ(host.policies[0].class_of_dscp[40], 6);
}

TEST(ReadAmd, qos_and_dcqcn) {
  const Estate estate = read_other_nic(R"($ sudo nicctl show qos
NIC  : 42424650-4c32-3533-3330-303439000000 (0000:06:00.0)

Port : 0490814a-6c40-4242-4242-000011010000

  Classification type         : DSCP

  DSCP-to-priority :
    DSCP bitmap               : 0xffffbffffeffffff ==> priority : 0
    DSCP                      : 0-23, 25-45, 47-63 ==> priority : 0
    DSCP                      : 24 ==> priority : 3
    DSCP                      : 46 ==> priority : 6

  PFC :
    PFC priority bitmap       : 0x8
    PFC no-drop priorities    : 3

  Scheduling :
    --------------------------------------------
    Priority  Scheduling  Bandwidth Rate-limit
              Type        (in %age) (in Gbps)
    --------------------------------------------
    0         DWRR        1         N/A
    3         DWRR        99        N/A
    6         strict      N/A       10
$ sudo nicctl show dcqcn
NIC : 42424650-4c32-3533-3330-303439000000 (0000:06:00.0)
  Lif id                      : 43000070-0100-0000-4242-0490814a3f5c
  ROCE device                 : rocep9s0
    Status                    : Disabled
    DSCP value used for CNP   : 48
    Token bucket size         : 800000
)");
  const Device& host = estate.devices.at(0);
  EXPECT_EQ(host.dialect, Dialect::nicctl);
  ASSERT_EQ(host.nics.size(), 1U);
  EXPECT_EQ(host.nics[0].name, "rocep9s0");
  EXPECT_EQ(host.nics[0].cnp_dscp, 48);
  EXPECT_EQ(host.nics[0].ecn_np, 0);
  const QosPolicy& policy = host.policies.at(0);
  EXPECT_EQ(policy.trust, Trust::dscp);
  EXPECT_EQ(policy.pfc, 8);
  EXPECT_EQ(policy.class_of_dscp[24], 3);
  EXPECT_EQ(policy.class_of_dscp[46], 6);
  EXPECT_EQ(policy.class_of_dscp[26], 0);
  EXPECT_EQ(policy.queues[3].weight, 99U);
  EXPECT_TRUE(policy.queues[6].strict);
  ASSERT_EQ(host.unread.size(), 1U);
  EXPECT_EQ(host.unread[0].statement, "Token bucket size");
}

TEST(ReadAmd, a_script_sets_qos_of_all_nics_and_congestion_control_of_each) {
  const Estate estate = read_other_nic(R"(#!/bin/bash
# ionic_0 (eth0)
# ionic_1 (eth1)
sudo nicctl update port --all --pause-type pfc --rx-pause enable --tx-pause enable
sudo nicctl update qos --classification-type DSCP
sudo nicctl update qos dscp-to-priority --dscp 24,26-27 --priority 3
sudo nicctl update qos dscp-to-priority -p "$port" --dscp 46 --priority 6
sudo nicctl update qos pfc --priority 3 --no-drop enable
sudo nicctl update qos scheduling --priority 3,0,6 --dwrr 99,1,0 --rate-limit 0,0,10
sudo nicctl update dcqcn -r ionic_1 -i 1 --ai-rate 160 --cnp-dscp 48
ip link set dev eth1 mtu 9000
)");
  const Device& host = estate.devices.at(0);
  ASSERT_EQ(host.nics.size(), 2U);
  EXPECT_EQ(host.nics[0].cnp_dscp, 46);
  EXPECT_FALSE(host.nics[0].cnp_priority) << "it is that of the DSCP";
  EXPECT_EQ(host.nics[1].cnp_dscp, 48);
  EXPECT_EQ(host.nics[1].mtu, 9000_B);
  for (const NicConfig& nic : host.nics) {
    const QosPolicy& policy = host.policies.at(nic.policy);
    EXPECT_EQ(policy.trust, Trust::dscp);
    EXPECT_EQ(policy.class_of_dscp[27], 3);
    EXPECT_EQ(policy.class_of_dscp[46], 6);
    EXPECT_EQ(policy.pfc, 8);
    EXPECT_EQ(policy.queues[3].weight, 99U);
    EXPECT_TRUE(policy.queues[6].strict);
    EXPECT_FALSE(policy.queues[0].strict);
    EXPECT_FALSE(policy.link_pause);
    EXPECT_EQ(policy.said.at("pfc.3").line, 8U);
  }
  EXPECT_EQ(host.nics[1].dcqcn.at("rpg_ai_rate"), 160);
  EXPECT_TRUE(host.unread.empty());
}

TEST(ReadAmd, settings_of_dcqcn_by_both_commands) {
  const Estate shown = read_other_nic(R"($ sudo nicctl show dcqcn
NIC : 42424650-4c32-3533-3330-303439000000 (0000:06:00.0)
  Lif id                      : 43000070-0100-0000-4242-0490814a3f5c
  ROCE device                 : ionic_3
    DCQCN profile id          : 1
    Status                    : Enabled
    Rate increase in AI phase : 150
    Rate increase byte count  : 420000
    Alpha update G value      : 500
    Alpha update interval     : 2
    Rate increase in HAI phase : 310
    Initial alpha value       : 65
    Rate reduce monitor period : 3
    Rate increase threshold   : 2
    Rate increase interval    : 4
    Token bucket size         : 700000
    DSCP value used for CNP   : 46
    DCQCN profile id          : 2
    Status                    : Disabled
    Rate increase in AI phase : 7
    DSCP value used for CNP   : 12
)");
  const Estate set = read_other_nic(
      "# ionic_3 (eth3)\nnicctl update dcqcn -r ionic_3 -i 1 --ai-rate 150 --rate-increase-byte-count 420000 --alpha-update-g "
      "500 "
      "--alpha-update-interval 2 --hai-rate 310 --initial-alpha-value 65 --rate-reduce-monitor-period 3 "
      "--rate-increase-threshold 2 --rate-increase-interval 4 --token-bucket-size 700000 --cnp-dscp 46\n"
      "nicctl update dcqcn -r ionic_3 --profile-id 2 --ai-rate 7\n");
  const std::map<std::string, std::int64_t, std::less<>> expected = {{"rpg_ai_rate", 150},
                                                                     {"rpg_byte_reset", 420'000},
                                                                     {"dce_tcp_g", 500},
                                                                     {"dce_tcp_rtt", 2},
                                                                     {"rpg_hai_rate", 310},
                                                                     {"initial_alpha_value", 65},
                                                                     {"rate_reduce_monitor_period", 3},
                                                                     {"rpg_threshold", 2},
                                                                     {"rpg_time_reset", 4}};
  for (const Estate* estate : {&shown, &set}) {
    ASSERT_EQ(estate->devices.at(0).nics.size(), 1U);
    const NicConfig& nic = estate->devices[0].nics[0];
    EXPECT_EQ(nic.dcqcn, expected);
    EXPECT_EQ(nic.cnp_dscp, 46);
    EXPECT_EQ(estate->devices[0].unread.size(), 2U) << "the token bucket and profile 2";
  }
  EXPECT_EQ(shown.devices[0].nics[0].ecn_np, 255) << "that is of profile 1";
  EXPECT_EQ(shown.devices[0].nics[0].said.at("rpg_ai_rate").line, 7U);
}

TEST(ReadBroadcom, what_the_driver_prints_of_congestion_control) {
  const Estate estate = read_other_nic(
      "$ cat /sys/kernel/config/bnxt_re/bnxt_re2/ports/1/cc/apply\n"
      "ecn_enable=0x1\t\t\t# ecn status\t\t\t\t: Enabled\n"
      "ecn_marking=0x2\t\t\t# ecn marking\t\t\t\t: ECT(0)\n"
      "cc_mode=0x1\t\t\t# congestion control mode\t\t: Probabilistic\n"
      "g=0x8\t\t\t\t# running avg. weight\t\t\t: 8\n"
      "min_time_bet_cnp=0x32\t\t# minimum time between cnp\t\t: 50 usec\n"
      "$ cat /sys/kernel/config/bnxt_re/bnxt_re3/ports/1/cc/ecn_enable\n0x0\n"
      "$ cat /sys/kernel/config/bnxt_re/bnxt_re3/ports/1/cc/ecn_marking\n0x1\n");
  const Device& host = estate.devices.at(0);
  ASSERT_EQ(host.nics.size(), 2U);
  EXPECT_EQ(host.nics[0].name, "bnxt_re2");
  EXPECT_EQ(host.nics[0].ecn_rp, 255);
  EXPECT_EQ(host.nics[0].dcqcn.at("min_time_between_cnps"), 50);
  EXPECT_EQ(host.nics[1].ecn_rp, 0) << "marking alone does not turn it on";
  std::vector<std::string> unread;
  for (const Device::Unread& one : host.unread) unread.push_back(one.statement);
  EXPECT_EQ(unread, (std::vector<std::string>{"cc/cc_mode", "cc/g"}));
}

TEST(ReadAmd, port_json_has_numbers_as_text) {
  const Estate estate = read_other_nic(
      R"({"nic": [{"id": "4242-01", "port": [{"spec": {"name": "eth1\/1", "port_speed": "400G", "mtu": "1500",
      "pause_type": "PFC"}, "status": {"physical_port": "1"}}]}]})",
      "port.json");
  const NicConfig& nic = estate.devices.at(0).nics.at(0);
  EXPECT_EQ(nic.name, "4242-01");
  EXPECT_EQ(nic.mtu, 1500_B);
  EXPECT_EQ(nic.speed, 400_Gbps);
  EXPECT_EQ(nic.cnp_dscp, 46);
  EXPECT_FALSE(estate.devices[0].policies.at(0).link_pause);
}

TEST(ReadDcb, text_commands_and_json_say_the_same) {
  const Estate text = read_other_nic(R"($ dcb pfc show dev eth4
pfc-cap 8 macsec-bypass off delay 0
prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off
$ dcb ets show dev eth4
willing off ets-cap 8 cbs off
tc-tsa 0:ets 1:ets 2:ets 3:ets 4:ets 5:ets 6:strict 7:ets
tc-bw 0:50 1:0 2:0 3:50 4:0 5:0 6:0 7:0
prio-tc 0:0 1:0 2:0 3:3 4:0 5:0 6:6 7:0
$ dcb app show dev eth4
dscp-prio AF31:3 CS6:6
)");
  const Estate commands = read_other_nic(
      "dcb pfc set dev eth4 prio-pfc all:off 3:on\ndcb ets set dev eth4 willing off tc-tsa all:ets 6:strict tc-bw all:0 0:50 "
      "3:50 "
      "prio-tc all:0 3:3 6:6\ndcb app add dev eth4 dscp-prio 26:3 48:6\n");
  const Estate json = read_other_nic(
      R"({"ifname":"eth4","willing":false,"prio_pfc":[false,false,false,true,false,false,false,false],
      "tc_tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],"tc_bw":[50,0,0,50,0,0,0,0],
      "prio_tc":[0,0,0,3,0,0,6,0],"dscp_prio":[[26,3],[48,6]]})",
      "dcb.json");
  for (const Estate* estate : {&text, &commands, &json}) {
    const Device& host = estate->devices.at(0);
    EXPECT_EQ(host.dialect, Dialect::dcb);
    ASSERT_EQ(host.nics.size(), 1U);
    EXPECT_EQ(host.nics[0].netdev, "eth4");
    EXPECT_EQ(host.nics[0].dcbx_willing, false);
    EXPECT_TRUE(same_effect(host.policies.at(0), text.devices.at(0).policies.at(0)));
  }
  const QosPolicy& policy = text.devices.at(0).policies.at(0);
  EXPECT_EQ(policy.trust, Trust::dscp);
  EXPECT_EQ(policy.pfc, 8);
  EXPECT_EQ(policy.class_of_dscp[26], 3);
  EXPECT_EQ(policy.class_of_dscp[48], 6);
  EXPECT_TRUE(policy.queues[6].strict);
  EXPECT_EQ(policy.queues[3].weight, 50U);
}

TEST(ReadDcb, who_speaks_dcbx_and_what_is_trusted_first) {
  const Estate estate = read_other_nic(
      "$ dcb dcbx show dev eth4\nlld-managed ieee\n$ dcb apptrust show dev eth4\norder: pcp dscp\n$ dcb ets show dev eth4\n"
      "tc-tsa 0:ets\n");
  const Device& host = estate.devices.at(0);
  EXPECT_EQ(host.nics.at(0).dcbx_firmware, true);
  EXPECT_EQ(host.policies.at(0).trust, Trust::pcp);
  EXPECT_EQ(host.policies[0].said.at("trust").line, 4U);
}

TEST(ReadDcb, the_files_name_may_name_the_interface) {
  const Estate estate =
      read_other_nic(R"({"prio_pfc":[false,false,false,true,false,false,false,false]})", "gpu01/dcb_pfc_ens3.json");
  EXPECT_EQ(estate.devices.at(0).nics.at(0).netdev, "ens3");
  EXPECT_EQ(estate.devices[0].policies.at(0).trust, Trust::pcp) << "Linux gives no DSCP a priority by itself";
}

TEST(ReadDcb, broken_json_is_an_error) {
  Estate estate;
  const Diagnostics found = read_config({"d.json", "d", "{\"prio_pfc\": [true,"}, estate);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "RY-CFG-003");
}

}  // namespace
}  // namespace railyard
