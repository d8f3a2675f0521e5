#include <gtest/gtest.h>

#include "config/read/readers.h"

namespace railyard {
namespace {

Estate read_mlnx(const std::string& text, const std::string& file = "gpu01/dump.txt") {
  Estate estate;
  int readers = 0;
  for (const FileReader& reader : file_readers()) readers += reader.recognises({file, "gpu01", text}) ? 1 : 0;
  EXPECT_EQ(readers, 1) << text;
  EXPECT_TRUE(read_config({file, "gpu01", text}, estate).empty());
  return estate;
}

constexpr const char* kQos = R"(DCBX mode: OS controlled
Priority trust state: dscp
dscp2prio mapping:
    prio:0 dscp:07,06,05,04,03,02,01,00,
    prio:4 dscp:26,
Receive buffer size (bytes): 130944,130944,0,0,0,0,0,0,
Cable len: 7
PFC configuration:
    priority    0   1   2   3   4   5   6   7
    enabled     0   0   0   0   1   0   0   0
    buffer      0   0   0   0   1   0   0   0
tc: 0 ratelimit: unlimited, tsa: ets, bw: 40%
     priority:  1
tc: 1 ratelimit: unlimited, tsa: ets, bw: 60%
     priority:  0
tc: 4 ratelimit: unlimited, tsa: strict
     priority:  4
)";

TEST(ReadMlnx, qos_of_an_interface) {
  const Estate estate = read_mlnx(std::string("root@gpu07:~# mlnx_qos -i eth4\n") + kQos);
  ASSERT_EQ(estate.devices.size(), 1U);
  const Device& host = estate.devices[0];
  EXPECT_EQ(host.name, "gpu07");
  EXPECT_EQ(host.kind, DeviceKind::host);
  EXPECT_EQ(host.dialect, Dialect::mlnx);
  ASSERT_EQ(host.nics.size(), 1U);
  EXPECT_EQ(host.nics[0].netdev, "eth4");
  EXPECT_EQ(host.nics[0].dcbx_firmware, false);
  const QosPolicy& policy = host.policies.at(host.nics[0].policy);
  EXPECT_EQ(policy.trust, Trust::dscp);
  EXPECT_EQ(policy.class_of_dscp[26], 4);
  EXPECT_EQ(policy.class_of_dscp[48], 6) << "by eight unless told";
  EXPECT_EQ(policy.pfc, 0x10);
  EXPECT_EQ(policy.queue_of_class[0], 1);
  EXPECT_EQ(policy.queues[1].weight, 60U);
  EXPECT_TRUE(policy.queues[4].strict);
  EXPECT_EQ(policy.said.at("pfc.4").line, 11U);
  EXPECT_EQ(policy.said.at("trust").line, 3U);
  ASSERT_EQ(host.unread.size(), 2U);
  EXPECT_EQ(host.unread[0].statement, "Receive buffer size");
}

TEST(ReadMlnx, a_fresh_nic_has_the_vendors_defaults) {
  const Estate estate = read_mlnx("$ cma_roce_tos -d mlx5_0\n0\n");
  const Device& host = estate.devices.at(0);
  const NicConfig& nic = host.nics.at(0);
  EXPECT_EQ(nic.cnp_dscp, 48);
  EXPECT_EQ(nic.cnp_priority, 6);
  EXPECT_EQ(nic.ecn_np, 255);
  EXPECT_EQ(nic.cma_tos, 0);
  EXPECT_FALSE(nic.traffic_class);
  EXPECT_EQ(host.policies.at(0).trust, Trust::pcp);
  EXPECT_EQ(host.policies.at(0).pfc, 0);
  EXPECT_EQ(host.policies.at(0).class_of_dscp[26], 3);
  EXPECT_TRUE(host.policies.at(0).said.empty());
}

TEST(ReadMlnx, a_traced_script_is_one_nic) {
  const Estate estate = read_mlnx(R"($ ./setup.sh eth4 mlx5_2
+ INTERFACE=eth4
+ mlnx_qos -i eth4 --trust dscp
Priority trust state: dscp
+ sudo sh -c ' echo 106 > /sys/class/infiniband/mlx5_2/tc/1/traffic_class'
+ sudo cma_roce_tos -d mlx5_2 -t 104
104
+ mlnx_qos -i eth4 --pfc 0,0,0,1,0,0,0,0
)");
  const Device& host = estate.devices.at(0);
  EXPECT_EQ(host.name, "gpu01");
  ASSERT_EQ(host.nics.size(), 1U);
  ASSERT_EQ(host.policies.size(), 1U);
  EXPECT_EQ(host.nics[0].name, "mlx5_2");
  EXPECT_EQ(host.nics[0].netdev, "eth4");
  EXPECT_EQ(host.nics[0].traffic_class, 106);
  EXPECT_EQ(host.nics[0].cma_tos, 104);
  EXPECT_EQ(host.policies[0].pfc, 8);
  EXPECT_EQ(host.policies[0].trust, Trust::dscp);
}

TEST(ReadMlnx, commands_of_a_script_are_settings) {
  const Estate estate = read_mlnx(R"(#!/bin/bash
IF=eth2
DEV=mlx5_1
mlnx_qos -i $IF --trust=dscp -f 0,0,0,0,0,1,0,0 --dscp2prio set,40,5 --dscp2prio set,26,0 && ip link set dev ${IF} mtu 9000
mlnx_qos -i $IF -s ets,ets,strict -t 30,70,0 -p 0,1,2,3,4,5,6,7 --dcbx fw
echo 160 | tee /sys/class/infiniband/$DEV/tc/1/traffic_class
echo 0 > /sys/class/net/$IF/ecn/roce_np/enable/3
mlxconfig -d $DEV set CNP_DSCP_P1=46 DCBX_WILLING_P1=1
)");
  const Device& host = estate.devices.at(0);
  ASSERT_EQ(host.nics.size(), 1U);
  const NicConfig& nic = host.nics[0];
  EXPECT_EQ(nic.name, "mlx5_1");
  EXPECT_EQ(nic.mtu, Bytes(9000));
  EXPECT_EQ(nic.traffic_class, 160);
  EXPECT_EQ(nic.ecn_np, 0xf7);
  EXPECT_EQ(nic.ecn_rp, 0xff);
  EXPECT_EQ(nic.cnp_dscp, 46);
  EXPECT_EQ(host.policies[0].pfc, 0x20);
  EXPECT_EQ(host.policies[0].class_of_dscp[40], 5);
  EXPECT_EQ(host.policies[0].class_of_dscp[26], 0);
  EXPECT_TRUE(host.policies[0].queues[2].strict);
  EXPECT_EQ(host.policies[0].queues[1].weight, 70U);
  EXPECT_EQ(host.policies[0].pfc_mode, PfcMode::negotiated) << "the firmware speaks DCBX and is willing";
}

TEST(ReadMlnx, summaries_and_files_of_sys) {
  const Estate estate = read_mlnx(R"(==== show configuration for device eth0 / mlx5_0====
Priority trust state: dscp
ECN Enabled for priority 5: /sys/class/net/eth0/ecn/roce_np/enable/5 = 0
/sys/class/net/eth0/ecn/roce_rp/enable/3:0
QOS for CNP: /sys/class/net/eth0/ecn/roce_np/cnp_dscp = 46
/sys/class/net/eth0/ecn/roce_np/cnp_802p_prio:7
/sys/class/net/eth0/ecn/roce_np/min_time_between_cnps:4
cma_roce_tos: 160
QOS for rdma: /sys/class/infiniband/mlx5_0/tc/1/traffic_class = Global tclass=162
==> /sys/class/infiniband/mlx5_0/fw_ver <==
28.39.1002
/sys/class/net/eth0/mtu:4200
/sys/kernel/debug/mlx5/0000:17:00.0/cc_params/np_cnp_dscp:46
)");
  const Device& host = estate.devices.at(0);
  ASSERT_EQ(host.nics.size(), 2U) << "nothing says that 0000:17:00.0 is eth0";
  const NicConfig& nic = host.nics[0];
  EXPECT_EQ(nic.name, "mlx5_0");
  EXPECT_EQ(nic.netdev, "eth0");
  EXPECT_EQ(nic.ecn_np, 0xdf);
  EXPECT_EQ(nic.ecn_rp, 0xf7);
  EXPECT_EQ(nic.cnp_dscp, 46);
  EXPECT_EQ(nic.cnp_priority, 7);
  EXPECT_EQ(nic.cma_tos, 160);
  EXPECT_EQ(nic.traffic_class, 162);
  EXPECT_EQ(nic.firmware, "28.39.1002");
  EXPECT_EQ(nic.mtu, 4200_B);
  EXPECT_EQ(nic.said.at("traffic_class").line, 9U);
  EXPECT_EQ(host.policies[nic.policy].trust, Trust::dscp);
  EXPECT_EQ(nic.dcqcn.at("min_time_between_cnps"), 4);
  EXPECT_TRUE(host.unread.empty());
}

TEST(ReadMlnx, settings_of_dcqcn_by_any_tool) {
  const Estate estate = read_mlnx(R"(
Device #1:
Device:         0000:17:00.0

Configurations:                                      Next Boot
        ROCE_CC_PRIO_MASK_P1                        255
        RPG_TIME_RESET_P1                           300
        RPG_THRESHOLD_P1                            5
        CLAMP_TGT_RATE_P1                           False(0)
        RPG_GD_P1                                   7
        MIN_TIME_BETWEEN_CNPS_P1                    2
/sys/kernel/debug/mlx5/0000:17:00.0/cc_params/rp_clamp_tgt_rate_ati:1
/sys/kernel/debug/mlx5/0000:17:00.0/cc_params/np_min_time_between_cnps:0
/sys/kernel/debug/mlx5/0000:17:00.0/cc_params/rp_of_another_kind:3
)");
  const Device& host = estate.devices.at(0);
  ASSERT_EQ(host.nics.size(), 1U);
  const std::map<std::string, std::int64_t, std::less<>> expected = {{"clamp_tgt_rate", 0},
                                                                     {"clamp_tgt_rate_after_time_inc", 1},
                                                                     {"min_time_between_cnps", 0},
                                                                     {"rpg_threshold", 5},
                                                                     {"rpg_time_reset", 300}};
  EXPECT_EQ(host.nics[0].dcqcn, expected) << "RPG_GD = 7 is outside of its range";
  EXPECT_EQ(host.nics[0].said.at("rpg_threshold").line, 8U);
}

TEST(ReadMlnx, mlxconfig_with_and_without_columns) {
  const Estate plain = read_mlnx(R"(
Device #1:
----------
Device type:    ConnectX7
Name:           MCX75310AAS-NEA_Ax
Device:         0000:17:00.0

Configurations:                                      Next Boot
        MEMIC_BAR_SIZE                              0
        ESWITCH_HAIRPIN_TOT_BUFFER_SIZE             Array[0..7]
        ROCE_CC_PRIO_MASK_P1                        8
        CNP_DSCP_P1                                 48
        DCBX_WILLING_P1                             True(1)
        LLDP_NB_DCBX_P1                             False(0)
        PCI_WR_ORDERING                             force_relax(1)
        CNP_DSCP_P2                                 46
)");
  ASSERT_EQ(plain.devices.at(0).nics.size(), 2U);
  const NicConfig& first = plain.devices[0].nics[0];
  EXPECT_EQ(first.name, "0000:17:00.0");
  EXPECT_EQ(first.model, "ConnectX7");
  EXPECT_EQ(first.ecn_rp, 8);
  EXPECT_EQ(first.dcbx_willing, true);
  EXPECT_EQ(first.dcbx_firmware, false);
  EXPECT_EQ(first.relaxed_ordering, true);
  EXPECT_EQ(plain.devices[0].nics[1].name, "0000:17:00.1");
  EXPECT_EQ(plain.devices[0].nics[1].cnp_dscp, 46);

  const Estate columns = read_mlnx(R"(Configurations:                     Default        Current        Next Boot
*       CNP_DSCP_P1                     48             26             46
        QOS_TRUST_STATE_P1              TRUST_PCP(1)   TRUST_DSCP(2)  TRUST_DSCP(2)
)");
  EXPECT_EQ(columns.devices.at(0).nics.at(0).cnp_dscp, 26) << "what is in force now";
  EXPECT_EQ(columns.devices[0].policies.at(0).trust, Trust::dscp);
}

TEST(ReadMlnx, gids_devices_and_links_are_joined_by_name) {
  Estate estate;
  const ConfigText links{
      "gpu01/ip_link.txt", "gpu01",
      "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue\n"
      "4: eth4: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP\n    link/ether aa:bb:cc:dd:ee:ff\n"};
  const ConfigText qos{"gpu01/mlnx_qos_eth4.txt", "gpu01", kQos};
  const ConfigText gids{
      "gpu01/show_gids.txt", "gpu01",
      "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4\t\tVER\tDEV\n---\t----\t-----\t---\t\t\t\t\t------------\t---\t---\n"
      "mlx5_2\t1\t0\tfe80:0000:0000:0000:0e42:a1ff:fe00:0001\t\t\tv1\teth4\n"
      "mlx5_2\t1\t3\t0000:0000:0000:0000:0000:ffff:0a00:0001\t10.0.0.1\tv2\teth4\nn_gids_found=2\n"};
  const ConfigText info{"gpu01/z_devinfo.txt", "gpu01",
                        "hca_id:\tmlx5_2\n\ttransport:\t\t\tInfiniBand (0)\n\tfw_ver:\t\t\t\t28.39.1002\n\t\tport:\t1\n"
                        "\t\t\tactive_mtu:\t\t4096 (5)\n\t\t\tGID[  5]:\t\t::ffff:10.0.0.9, RoCE v2\n"};
  for (const ConfigText& text : {links, qos, gids, info}) EXPECT_TRUE(read_config(text, estate).empty()) << text.file;
  ASSERT_EQ(estate.devices.size(), 1U);
  const Device& host = estate.devices[0];
  EXPECT_EQ(host.files.size(), 4U);
  ASSERT_EQ(host.nics.size(), 1U) << "lo is no NIC";
  ASSERT_EQ(host.policies.size(), 1U);
  const NicConfig& nic = host.nics[0];
  EXPECT_EQ(nic.name, "mlx5_2");
  EXPECT_EQ(nic.netdev, "eth4");
  EXPECT_EQ(nic.mtu, 9000_B);
  EXPECT_EQ(nic.path_mtu, 4096_B);
  EXPECT_EQ(nic.firmware, "28.39.1002");
  ASSERT_EQ(nic.gids.size(), 3U);
  EXPECT_EQ(nic.gids[0].roce_version, 1);
  EXPECT_EQ(nic.gids[1].index, 3U);
  EXPECT_EQ(nic.gids[1].address, "10.0.0.1");
  EXPECT_EQ(nic.gids[1].interface, "eth4");
  EXPECT_EQ(nic.gids[2].roce_version, 2);
  EXPECT_EQ(host.policies[0].pfc, 0x10);
}

TEST(ReadMlnx, ibdev2netdev_names_both_and_the_address) {
  const Estate estate = read_mlnx(
      "$ ibdev2netdev -v\n0000:17:00.0 mlx5_0 (MT4129 - MCX75310AAS-NEAT) CX7 fw 28.39.1002 port 1 (ACTIVE) ==> ens1np0 (Up)\n"
      "mlx5_1 port 1 ==> ens2np0 (Down)\n");
  const Device& host = estate.devices.at(0);
  ASSERT_EQ(host.nics.size(), 2U);
  EXPECT_EQ(host.nics[0].aliases, std::vector<std::string>{"0000:17:00.0"});
  EXPECT_EQ(host.nics[0].firmware, "28.39.1002");
  EXPECT_EQ(host.nics[1].netdev, "ens2np0");
  EXPECT_EQ(host.nics[1].policy, 1U);
}

TEST(ReadMlnx, the_operators_template_moves_cnps_to_dscp_4) {
  const Estate estate = read_mlnx(R"(apiVersion: configuration.net.nvidia.com/v1alpha1
kind: NicConfigurationTemplate
metadata:
  name: connectx7
spec:
  nicSelector:
    nicType: "1021"
    pciAddresses: ["0000:03:00.0", "0000:83:00.0"]
  template:
    numVfs: 2
    linkType: Ethernet
    roceOptimized:
      enabled: true
      qos:
        trust: dscp
        pfc: "0,0,0,0,1,0,0,0"
        tos: 104
    rawNvConfig:
      - {name: CNP_802P_PRIO_P1, value: "5"}
      - {name: KEEP_ETH_LINK_UP_P1, value: "1"}
)",
                                  "template.yaml");
  const Device& host = estate.devices.at(0);
  EXPECT_EQ(host.name, "connectx7");
  ASSERT_EQ(host.nics.size(), 2U);
  EXPECT_EQ(host.nics[1].name, "0000:83:00.0");
  EXPECT_EQ(host.nics[0].cnp_dscp, 4);
  EXPECT_EQ(host.nics[0].cnp_priority, 5);
  EXPECT_EQ(host.nics[0].cma_tos, 104);
  EXPECT_EQ(host.policies.at(1).pfc, 0x10);
  EXPECT_EQ(host.policies[1].trust, Trust::dscp);
  EXPECT_EQ(host.policies[1].said.at("pfc.4").line, 16U);
  EXPECT_EQ(host.unread.size(), 3U);
}

TEST(ReadMlnx, broken_yaml_is_an_error) {
  Estate estate;
  const Diagnostics found = read_config({"t.yaml", "t", "apiVersion: v1\nkind: NicConfigurationTemplate\nspec: [\n"}, estate);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "RY-CFG-003");
  EXPECT_EQ(found[0].severity, Severity::error);
}

TEST(ReadMlnx, counters_are_no_configuration) {
  for (const char* text : {"NIC statistics:\n     rx_packets: 3115860\n     rx_prio3_pause: 12\n",
                           "link mlx5_0/1 rx_write_requests 0 out_of_buffer 135 rp_cnp_handled 0\n",
                           "[{\"ifname\":\"rocep1\",\"port\":1,\"tx_rdma_cnp_pkts\":0}]\n"}) {
    Estate estate;
    const Diagnostics found = read_config({"counters.txt", "counters", text}, estate);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].code, "RY-CFG-001");
    EXPECT_TRUE(estate.devices.empty());
  }
}

TEST(ReadMlnx, comments_of_a_script_join_names_and_ethtool_pauses_the_link) {
  Estate estate;
  read_config({"gpu01.sh", "gpu01",
               "#!/bin/sh\n# mlx5_0 (eth0)\nmlnx_qos -i eth0 --trust dscp\ncma_roce_tos -d mlx5_0 -t 106\n"
               "# mlx5_1 (eth1)\n# roce (lossless)\nmlnx_qos -i eth1 --trust pcp\nethtool -A eth1 rx on tx off\n"
               "cma_roce_tos -d mlx5_1 -t 104\n"},
              estate);
  const Device& host = estate.devices.at(0);
  ASSERT_EQ(host.nics.size(), 2U);
  EXPECT_EQ(host.nics[0].netdev, "eth0");
  EXPECT_EQ(host.nics[0].cma_tos, 106);
  EXPECT_EQ(host.nics[1].cma_tos, 104);
  EXPECT_EQ(host.policies.at(host.nics[0].policy).trust, Trust::dscp);
  EXPECT_FALSE(host.policies.at(host.nics[0].policy).link_pause);
  EXPECT_TRUE(host.policies.at(host.nics[1].policy).link_pause);
  EXPECT_TRUE(host.unread.empty());
}

}  // namespace
}  // namespace railyard
