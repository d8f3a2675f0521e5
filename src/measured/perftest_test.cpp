#include <gtest/gtest.h>

#include "measured/fixtures.h"

namespace railyard {
namespace {

constexpr const char* kBandwidth = R"(root@gpu01:~# ib_write_bw -d mlx5_4 -x 3 -q 4 -b -a --report_gbits --use_cuda=0 gpu02
---------------------------------------------------------------------------------------
                    RDMA_Write Bidirectional BW Test
 Dual-port       : OFF          Device         : mlx5_4
 Number of qps   : 4            Transport type : IB
 Connection type : RC           Using SRQ      : OFF
 TX depth        : 64
 Mtu             : 1024[B]
 Link type       : Ethernet
 GID index       : 3
---------------------------------------------------------------------------------------
 local address: LID 0000 QPN 0x0901 PSN 0x5e30c8 RKey 0x2000201 VAddr 0x007fe663d20000
---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
Conflicting CPU frequency values detected: 800.000000 != 3500.000000. CPU Frequency is not max.
 65536      5000             380.00             376.00              0.717
 8388608    5000             0.00               784.00              0.011
---------------------------------------------------------------------------------------
)";

TEST(Perftest, a_bandwidth_test_with_its_settings) {
  const Measurements all = measured_in(kBandwidth);
  ASSERT_EQ(all.perftests.size(), 1U);
  const PerftestRun& run = all.perftests[0];
  EXPECT_EQ(run.tool, "ib_write_bw");
  EXPECT_EQ(run.device, "mlx5_4");
  EXPECT_EQ(run.transport, "IB");
  EXPECT_EQ(run.link, "Ethernet");
  EXPECT_EQ(run.queue_pairs, 4U);
  EXPECT_EQ(run.depth, 64U);
  EXPECT_EQ(run.gid_index, 3U);
  EXPECT_EQ(run.mtu, 1_KiB);
  EXPECT_TRUE(run.bidirectional);
  EXPECT_FALSE(run.is_latency);
  EXPECT_EQ(run.gpu_memory, true);
  EXPECT_EQ(run.peer, "gpu02");
  ASSERT_EQ(run.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(run.rows[0].average.value_or(0), 47e9);
  EXPECT_DOUBLE_EQ(run.rows[0].peak.value_or(0), 47.5e9);
  EXPECT_FALSE(run.rows[1].peak) << "a test of a duration has no peak";
  EXPECT_EQ(run.rows[1].where.line, 17U);
  EXPECT_TRUE(all.skipped.empty());
  expect_prefixes_hold(kBandwidth);
}

TEST(Perftest, latencies_and_decimal_commas) {
  const Measurements all = measured_in(
      "                    RDMA_Read Latency Test\n"
      " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% "
      "percentile[usec]"
      "   99.9% percentile[usec]\n"
      " 2       1000          3,10           9,40         3,20               3,30           0,10            4,00         "
      "5,00\n");
  ASSERT_EQ(all.perftests.size(), 1U);
  EXPECT_EQ(all.perftests[0].tool, "ib_read_lat");
  EXPECT_TRUE(all.perftests[0].is_latency);
  ASSERT_EQ(all.perftests[0].rows.size(), 1U);
  const PerftestRow& row = all.perftests[0].rows[0];
  EXPECT_DOUBLE_EQ(row.min_s.value_or(0), 3.1e-6);
  EXPECT_DOUBLE_EQ(row.typical_s.value_or(0), 3.2e-6);
  EXPECT_DOUBLE_EQ(row.average_s.value_or(0), 3.3e-6);
  EXPECT_DOUBLE_EQ(row.p99_s.value_or(0), 4e-6);
  EXPECT_FALSE(row.average);
}

TEST(Perftest, server_and_client_in_one_file) {
  const Measurements all = measured_in(R"(
                    RDMA_Write BW Test
 Number of qps   : 1            Transport type : IB
                    RDMA_Write BW Test
 Number of qps   : 1            Transport type : IB
 TX depth        : 128
 #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
 #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
 65536      2000             11000.00           10000.00            0.16
 65536      2000             11000.00           10000.00            0.16
 131072     2000             11000.00           10500.00            0.08
)");
  ASSERT_EQ(all.perftests.size(), 2U);
  EXPECT_EQ(all.perftests[0].rows.size(), 2U);
  EXPECT_EQ(all.perftests[1].rows.size(), 1U);
  EXPECT_DOUBLE_EQ(all.perftests[0].rows[0].average.value_or(0), 10000.0 * 1048576);
  EXPECT_EQ(all.perftests[1].queue_pairs, 1U);
}

TEST(Perftest, tables_without_a_title) {
  constexpr const char* kTable =
      " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
      " 65536      5000             380.00             376.00              0.717\n";
  const Measurements all = measured_in(std::string(kTable) + kTable);
  ASSERT_EQ(all.perftests.size(), 2U);
  EXPECT_EQ(all.perftests[1].rows.size(), 1U);
  EXPECT_EQ(all.perftests[1].tool, "");
}

TEST(Perftest, a_cut_row_is_said) {
  const std::string text(kBandwidth);
  const Measurements all = measured_in(text.substr(0, text.find("784.00") + 6));
  EXPECT_EQ(all.perftests.at(0).rows.size(), 1U);
  EXPECT_EQ(all.skipped.size(), 1U);
}

TEST(Perftest, comma_separated_values) {
  const Measurements all = measured_in(
      "msg_bytes,qps,tx_depth,gbps,memory,note\n16384,1,128,200.0,host,\n65536,1,128,360,host,fine\n16384,1,8,80,gpu,\n"
      "16384,1\n");
  ASSERT_EQ(all.perftests.size(), 2U);
  ASSERT_EQ(all.perftests[0].rows.size(), 2U);
  EXPECT_EQ(all.perftests[0].gpu_memory, false);
  EXPECT_EQ(all.perftests[1].gpu_memory, true);
  EXPECT_EQ(all.perftests[1].depth, 8U);
  EXPECT_DOUBLE_EQ(all.perftests[0].rows[1].average.value_or(0), 45e9);
  EXPECT_EQ(all.skipped.size(), 1U);
}

}  // namespace
}  // namespace railyard
