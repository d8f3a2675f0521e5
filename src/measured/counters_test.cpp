#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "measured/counter_names.h"
#include "measured/fixtures.h"
#include "measured/snapshots.h"

namespace railyard {
namespace {

/// The samples of a kind, by port, priority and snapshot.
const CounterSample* sample_of(const Measurements& all, std::string_view port, CounterKind kind,
                               std::optional<std::uint32_t> priority = {}, double time = 0) {
  for (const CounterSample& one : all.counters)
    if (one.port == port && one.kind == kind && one.priority == priority && one.time_s == time) return &one;
  return nullptr;
}

double value_of(const Measurements& all, std::string_view port, CounterKind kind, std::optional<std::uint32_t> priority = {},
                double time = 0) {
  const CounterSample* one = sample_of(all, port, kind, priority, time);
  return one ? one->value : -1;
}

TEST(CounterNames, vendors_say_the_same) {
  const auto is = [](std::string_view name, CounterKind kind, std::optional<std::uint32_t> priority = {}, double unit = 1) {
    const CounterMeaning meaning = counter_meaning(name);
    EXPECT_EQ(meaning.kind, kind) << name;
    EXPECT_EQ(meaning.priority, priority) << name;
    EXPECT_DOUBLE_EQ(meaning.unit, unit) << name;
  };
  is("rx_prio3_pause", CounterKind::rx_pause, 3);
  is("tx_prio3_pause_duration", CounterKind::tx_pause_time, 3, 1e-6);
  is("rx_pfc_ena_frames_pri5", CounterKind::rx_pause, 5);
  is("pfc_pri4_rx_duration_us", CounterKind::rx_pause_time, 4, 1e-6);
  is("tx_pripause_2_1us_count", CounterKind::tx_pause_time, 2, 1e-6);
  is("SAI_PORT_STAT_PFC_3_RX_PKTS", CounterKind::rx_pause, 3);
  is("SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES", CounterKind::queue_watermark);
  is("node_infiniband_link_downed_total", CounterKind::link_down);
  is("node_ethtool_received_prio3_pause_total", CounterKind::rx_pause, 3);
  is("rdma_np_cnp_sent_total", CounterKind::cnp_sent);
  is("rdma_port_xmit_data_total", CounterKind::tx_bytes, {}, 4);
  is("port_rcv_data", CounterKind::rx_bytes, {}, 4);
  is("resp_rx_outouf_seq", CounterKind::out_of_sequence);
  is("tx_queue_stopped", CounterKind::other);
  is("rx_prio3_pause_transition", CounterKind::other, 3);
}

TEST(Counters, ethtool_with_snapshots_in_one_file) {
  const std::string text =
      "root@gpu07:~# ethtool -S eth4\nNIC statistics:\n     rx_bytes: 10\n     rx_bytes_phy: 2000\n     rx_prio3_pause: 5\n"
      "     rx_prio3_pause_duration: 2500000\n     rx_symbol_err_phy: 1\nroot@gpu07:~# ethtool -S eth4\nNIC statistics:\n"
      "     rx_prio3_pause: 25\n     broken:\n";
  const Measurements all = measured_in(text);
  EXPECT_EQ(all.counters.at(0).device, "gpu07");
  EXPECT_EQ(value_of(all, "eth4", CounterKind::rx_bytes), 2000) << "the wire's, not the kernel's";
  EXPECT_EQ(value_of(all, "eth4", CounterKind::rx_pause, 3, 0), 5);
  EXPECT_EQ(value_of(all, "eth4", CounterKind::rx_pause, 3, 1), 25);
  EXPECT_DOUBLE_EQ(value_of(all, "eth4", CounterKind::rx_pause_time, 3), 2.5);
  EXPECT_EQ(value_of(all, "eth4", CounterKind::corrupted), 1);
  EXPECT_EQ(sample_of(all, "eth4", CounterKind::rx_pause, 3, 1)->where.line, 10U);
  EXPECT_EQ(all.skipped.size(), 1U);
  expect_prefixes_hold(text);
}

TEST(Counters, before_and_after_in_two_files) {
  const TemporaryFolder folder;
  for (const auto& [file, value] :
       {std::pair("gpu01_ethtool_ens3_before.txt", 7), std::pair("gpu01_ethtool_ens3_after.txt", 9)})
    folder.write(file, "NIC statistics:\n     tx_prio3_pause: " + std::to_string(value) + "\n");
  for (const auto& [file, value] : {std::pair("post/gpu-02.txt", 40), std::pair("pre/gpu-02.txt", 30)})
    folder.write(file, "link mlx5_0/1 np_cnp_sent " + std::to_string(value) + "\n");
  const auto all = read_measurements({folder.path()});
  ASSERT_TRUE(all.has_value());
  ASSERT_EQ(all->counters.size(), 4U);
  EXPECT_EQ(value_of(*all, "ens3", CounterKind::tx_pause, 3, 0), 7);
  EXPECT_EQ(value_of(*all, "ens3", CounterKind::tx_pause, 3, 1), 9);
  EXPECT_EQ(sample_of(*all, "ens3", CounterKind::tx_pause, 3)->device, "gpu01");
  EXPECT_EQ(value_of(*all, "mlx5_0", CounterKind::cnp_sent, {}, 0), 30);
  EXPECT_EQ(value_of(*all, "mlx5_0", CounterKind::cnp_sent, {}, 1), 40);
  EXPECT_EQ(sample_of(*all, "mlx5_0", CounterKind::cnp_sent)->device, "gpu-02");
}

TEST(Counters, names_of_devices) {
  EXPECT_EQ(measured_device("all", "all/node01/ethtool.txt"), "node01");
  EXPECT_EQ(measured_device("all", "all/leaf-3.txt"), "leaf-3");
  EXPECT_EQ(measured_device("all", "all/after/leaf-3.txt"), "leaf-3");
  EXPECT_EQ(measured_device("node01.before.txt", "node01.before.txt"), "node01");
  EXPECT_EQ(measured_device("", "gpu01_counters2.txt"), "gpu01");
}

TEST(Counters, sysfs_and_rdma) {
  const Measurements sysfs = measured_in(
      "/sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_data:1000\n"
      "/sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence:12\n"
      "/sys/class/infiniband/mlx5_1/ports/1/hw_counters/rp_cnp_handled:x\n"
      "/sys/class/infiniband/mlx5_0/ports/2/hw_counters/out_of_sequence:13\n");
  EXPECT_EQ(value_of(sysfs, "mlx5_0/2", CounterKind::out_of_sequence), 13) << "another port, not another snapshot";
  EXPECT_EQ(value_of(sysfs, "mlx5_0", CounterKind::tx_bytes), 4000) << "words of four bytes";
  EXPECT_EQ(value_of(sysfs, "mlx5_0", CounterKind::out_of_sequence), 12);
  EXPECT_EQ(sysfs.skipped.size(), 1U);

  const Measurements text = measured_in("link mlx5_3/1 out_of_buffer 135 rp_cnp_ignored 2 np_cnp_sent\n");
  EXPECT_EQ(value_of(text, "mlx5_3", CounterKind::out_of_buffer), 135);
  EXPECT_EQ(value_of(text, "mlx5_3", CounterKind::cnp_ignored), 2);
  EXPECT_EQ(text.skipped.size(), 1U);

  const Measurements json = measured_in(
      R"([{"ifname": "ionic_1", "port": 1, "tx_rdma_cnp_pkts": 3, "resp_rx_outof_buf": 4}, {"ifname": "ionic_2", "port": 1,)"
      R"( "tx_rdma_cnp_pkts": 5, "req_tx)");
  EXPECT_EQ(value_of(json, "ionic_1", CounterKind::cnp_sent), 3);
  EXPECT_EQ(value_of(json, "ionic_1", CounterKind::out_of_buffer), 4);
  EXPECT_EQ(value_of(json, "ionic_2", CounterKind::cnp_sent), 5);
  EXPECT_EQ(json.skipped.size(), 1U);
}

constexpr const char* kSonic = R"(admin@leaf1:~$ show pfc counters
  Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
---------  ------  ------  ------  ------  ------  ------  ------  ------
Ethernet0       0       0       0   1,234       0       0       0       0
Ethernet8       0       0       0       6

  Port Tx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
---------  ------  ------  ------  ------  ------  ------  ------  ------
Ethernet0       0       0       0      77       0       0       0       0
admin@leaf1:~$ show pfcwd stats
      QUEUE       STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP    TX LAST OK/DROP    RX LAST OK/DROP
-----------  -----------  -------------------------  ------------  ------------  -----------------  -----------------
Ethernet4:3      stormed                        2/1        10/300        10/400              0/200              0/200
admin@leaf1:~$ show queue counters
     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes
---------  -----  --------------  ---------------  -----------  ------------
Ethernet0    UC3           1,000        4,096,000            9        36,864
Ethernet0   MC10             N/A              N/A          N/A           N/A
admin@leaf1:~$ show queue wredcounters
     Port    TxQ    WredDrp/pkts    WredDrp/bytes    EcnMarked/pkts    EcnMarked/bytes
---------  -----  --------------  ---------------  ----------------  -----------------
Ethernet0    UC4               1                1                55                  1
admin@leaf1:~$ show priority-group watermark headroom
Ingress headroom per PG:
     Port    PG0    PG1    PG2    PG3    PG4    PG5    PG6    PG7
---------  -----  -----  -----  -----  -----  -----  -----  -----
Ethernet0      0      0      0  18432      0      0      0      0
admin@leaf1:~$ show interfaces counters
      IFACE    STATE       RX_OK       RX_BPS    RX_UTIL    RX_ERR    RX_DRP    RX_OVR       TX_OK       TX_BPS    TX_UTIL    TX_ERR     TX_DRP    TX_OVR
  Ethernet0        U  61,000,000  286.58 KB/s      0.00%         0         3         0  51,000,000  233.95 KB/s      0.00%         0  9,268         0
)";

TEST(Counters, sonic) {
  const Measurements all = measured_in(kSonic);
  EXPECT_EQ(all.counters.at(0).device, "leaf1");
  EXPECT_EQ(value_of(all, "Ethernet0", CounterKind::rx_pause, 3), 1234);
  EXPECT_EQ(value_of(all, "Ethernet0", CounterKind::tx_pause, 3), 77);
  EXPECT_EQ(value_of(all, "Ethernet4", CounterKind::pause_storm, 3), 2);
  EXPECT_EQ(value_of(all, "Ethernet4", CounterKind::tx_drops, 3), 300);
  EXPECT_EQ(value_of(all, "Ethernet4", CounterKind::rx_drops, 3), 400);
  EXPECT_EQ(value_of(all, "Ethernet0", CounterKind::tx_bytes, 3), 4096000);
  EXPECT_EQ(value_of(all, "Ethernet0", CounterKind::tx_drops, 3), 9);
  EXPECT_EQ(value_of(all, "Ethernet0", CounterKind::ecn_marked, 4), 55);
  EXPECT_EQ(value_of(all, "Ethernet0", CounterKind::queue_watermark, 3), 18432);
  EXPECT_EQ(value_of(all, "Ethernet0", CounterKind::rx_packets), 61e6);
  EXPECT_EQ(value_of(all, "Ethernet0", CounterKind::tx_drops), 9268);
  ASSERT_EQ(all.skipped.size(), 1U) << "the row of Ethernet8";
  EXPECT_EQ(all.skipped[0].where.line, 5U);
  expect_prefixes_hold(kSonic);
}

TEST(Counters, sonic_database) {
  const Measurements all = measured_in(R"({"COUNTERS_PORT_NAME_MAP": {"Ethernet0": "oid:0x1"},
    "COUNTERS_QUEUE_NAME_MAP": {"Ethernet0:3": "oid:0x15"},
    "COUNTERS:oid:0x1": {"SAI_PORT_STAT_PFC_3_TX_PKTS": "12", "SAI_PORT_STAT_IF_OUT_DISCARDS": "7", "SAI_PORT_STAT_IF_IN_ERRORS": ""},
    "COUNTERS:oid:0x15": {"SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES": "5554"}})");
  EXPECT_EQ(value_of(all, "Ethernet0", CounterKind::tx_pause, 3), 12);
  EXPECT_EQ(value_of(all, "Ethernet0", CounterKind::tx_drops), 7);
  EXPECT_EQ(value_of(all, "Ethernet0", CounterKind::queue_watermark, 3), 5554);
  EXPECT_EQ(all.counters.size(), 3U);
}

TEST(Counters, eos) {
  const Measurements all = measured_in(
      "leaf2#show priority-flow-control counters\nPort        RxPfc        TxPfc\nEt1/1         120          44\nEt1/2         "
      "  7\n"
      "leaf2#show interfaces counters discards\nPort            InDiscards       OutDiscards\nEt1/1                     3      "
      "           8\n");
  EXPECT_EQ(all.counters.at(0).device, "leaf2");
  EXPECT_EQ(value_of(all, "Et1/1", CounterKind::rx_pause), 120);
  EXPECT_EQ(value_of(all, "Et1/1", CounterKind::tx_pause), 44);
  EXPECT_EQ(value_of(all, "Et1/1", CounterKind::tx_drops), 8);
  EXPECT_EQ(all.skipped.size(), 1U);
}

TEST(Counters, nxos) {
  const std::string text = R"(leaf3# show interface priority-flow-control
============================================================
Port               Mode Oper(VL bmap)  RxPPP      TxPPP
============================================================
Ethernet1/5        On   On  (8)       120        400

leaf3# show queuing interface ethernet 1/6
Egress Queuing for Ethernet1/6 [System]
+-------------------------------------------------------------+
|                              QOS GROUP 3                    |
+-------------------------------------------------------------+
|                           |  Unicast       |Multicast       |
+-------------------------------------------------------------+
|                   Tx Pkts |          154875|               0|
|                   Tx Byts |        15487500|               0|
| WRED/AFD & Tail Drop Pkts |              21|               0|
PFC Statistics
 PFC_COS QOS_Group   PG   TxPause  TxCount         RxPause  RxCount
       3         3    -   Active        12          Inactive       5
)";
  const Measurements all = measured_in(text);
  EXPECT_EQ(value_of(all, "Ethernet1/5", CounterKind::rx_pause), 120);
  EXPECT_EQ(value_of(all, "Ethernet1/5", CounterKind::tx_pause), 400);
  EXPECT_EQ(value_of(all, "Ethernet1/6", CounterKind::tx_bytes, 3), 15487500);
  EXPECT_EQ(value_of(all, "Ethernet1/6", CounterKind::tx_drops, 3), 21);
  EXPECT_EQ(value_of(all, "Ethernet1/6", CounterKind::tx_pause, 3), 12);
  EXPECT_EQ(value_of(all, "Ethernet1/6", CounterKind::rx_pause, 3), 5);
  expect_prefixes_hold(text);
}

TEST(Counters, nvue) {
  const Measurements all = measured_in(R"(cumulus@leaf4:mgmt:~$ nv show interface swp9 qos roce counters
                               operational   applied  description
-----------------------------  ------------  -------  ----------
rx-stats
  rx-pfc-stats
    pause-packets              17                     Rx PFC pause packets for RoCE traffic
tx-stats
  tx-ecn-stats
    ecn-marked-packets         693                    Tx ECN marked packets
  tx-roce-stats
    roce-bytes                 92.5 GB                Tx RoCE Packet bytes
    unicast-no-buffer-discard  66                     Tx buffer discards for RoCE traffic
    tc-max-usage               16.02 MB               Max TC-buffer usage for RoCE traffic
)");
  EXPECT_EQ(all.counters.at(0).device, "leaf4");
  EXPECT_EQ(value_of(all, "swp9", CounterKind::rx_pause), 17);
  EXPECT_EQ(value_of(all, "swp9", CounterKind::ecn_marked), 693);
  EXPECT_DOUBLE_EQ(value_of(all, "swp9", CounterKind::tx_bytes), 92.5e9);
  EXPECT_EQ(value_of(all, "swp9", CounterKind::tx_drops), 66);
  EXPECT_DOUBLE_EQ(value_of(all, "swp9", CounterKind::queue_watermark), 16.02e6);
}

}  // namespace
}  // namespace railyard
