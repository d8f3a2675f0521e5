#include <gtest/gtest.h>

#include "measured/fixtures.h"

namespace railyard {
namespace {

constexpr const char* kAnswer = R"({"status":"success","data":{"resultType":"matrix","result":[
{"metric":{"__name__":"rdma_roce_pfc_pause_frames_total","instance":"gpu01:9879","device":"mlx5_0","direction":"rx","priority":"3"},
"values":[[1700000000,"10"],[1700000015.5,"25"]]},
{"metric":{"__name__":"node_infiniband_port_data_transmitted_bytes_total","instance":"gpu02:9100","device":"mlx5_1","port":"1"},
"values":[[1700000000,"1e9"]]}]}}
)";

TEST(Prometheus, a_range_query) {
  const Measurements all = measured_in(kAnswer);
  ASSERT_EQ(all.counters.size(), 3U);
  const CounterSample& pause = all.counters[1];
  EXPECT_EQ(pause.device, "gpu01");
  EXPECT_EQ(pause.port, "mlx5_0");
  EXPECT_EQ(pause.kind, CounterKind::rx_pause);
  EXPECT_EQ(pause.priority, 3U);
  EXPECT_EQ(pause.value, 25);
  EXPECT_DOUBLE_EQ(pause.time_s, 1700000015.5);
  EXPECT_EQ(all.counters[2].kind, CounterKind::tx_bytes);
  EXPECT_EQ(all.counters[2].value, 1e9);
  expect_prefixes_hold(kAnswer);
}

TEST(Prometheus, what_exporters_print) {
  const std::string text =
      "# HELP node_infiniband_link_downed_total Number of times\n# TYPE node_infiniband_link_downed_total counter\n"
      "node_infiniband_link_downed_total{device=\"mlx5_0\",port=\"1\"} 2\n"
      "node_infiniband_info{device=\"mlx5_0\",board_id=\"a,\\\"b\\\"\"} 1\n"
      "rdma_port_rcv_data_total{device=\"mlx5_0\",port=\"1\"} 1.5e+07 1700000000000\n"
      "DCGM_FI_DEV_PCIE_REPLAY_COUNTER{gpu=\"0\",Hostname=\"gpu09\"} 4\n"
      "rdma_np_cnp_sent_total{device=\"mlx5_0\",por\n";
  const Measurements all = measured_in(text);
  ASSERT_EQ(all.counters.size(), 3U);
  EXPECT_EQ(all.counters[0].kind, CounterKind::link_down);
  EXPECT_EQ(all.counters[0].device, "node01") << "the file's, where no label says";
  EXPECT_EQ(all.counters[0].time_s, 0);
  EXPECT_EQ(all.counters[1].value, 6e7) << "words of four bytes";
  EXPECT_DOUBLE_EQ(all.counters[1].time_s, 1700000000.0);
  EXPECT_EQ(all.counters[2].device, "gpu09");
  EXPECT_EQ(all.counters[2].kind, CounterKind::corrupted);
  EXPECT_EQ(all.skipped.size(), 1U);
  expect_prefixes_hold(text);
}

}  // namespace
}  // namespace railyard
