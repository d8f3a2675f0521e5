#include <gtest/gtest.h>

#include "measured/fixtures.h"

namespace railyard {
namespace {

std::string call(const char* communicator, int rank, const char* collective, int microseconds) {
  return std::string(R"({"header": {"id": ")") + communicator + R"(", "rank": )" + std::to_string(rank) +
         R"(, "n_ranks": 32, "nnodes": 4}, "metadata": {"inspector_output_format_version": "v5.0", "hostname": "gpu0)" +
         std::to_string(rank / 8) + R"("}, "coll_perf": {"coll": ")" + collective +
         R"(", "coll_sn": 7, "coll_msg_size_bytes": 4194304, "coll_exec_time_us": )" + std::to_string(microseconds) +
         R"(, "coll_algobw_gbs": 20.5, "coll_busbw_gbs": 39.7}})" + "\n";
}

TEST(NcclInspector, calls_of_one_collective_are_a_test) {
  const std::string text = call("0x1", 0, "AllReduce", 200) + call("0x1", 9, "AllReduce", 210) +
                           call("0x1", 0, "ReduceScatter", 90) + call("0x2", 0, "AllReduce", 100);
  const Measurements all = measured_in(text);
  ASSERT_EQ(all.tests.size(), 3U);
  EXPECT_EQ(all.tests[0].tool, "nccl-inspector");
  EXPECT_EQ(all.tests[0].collective, "all_reduce");
  EXPECT_EQ(all.tests[1].collective, "reduce_scatter");
  EXPECT_EQ(all.tests[0].ranks, 32U);
  EXPECT_EQ(all.tests[0].nodes, 4U);
  ASSERT_EQ(all.tests[0].rows.size(), 2U);
  EXPECT_DOUBLE_EQ(all.tests[0].rows[1].time_s, 210e-6);
  EXPECT_DOUBLE_EQ(all.tests[0].rows[1].bus_bandwidth, 39.7e9);
  EXPECT_EQ(all.tests[0].rows[1].where.line, 2U);
  EXPECT_EQ(all.tests[0].rows[1].size, 4_MiB);
  EXPECT_EQ(all.tests[1].rows[0].size, 128_MiB) << "of a reduce-scatter the log has what one of 32 ranks gets";
  ASSERT_EQ(all.tests[0].places.size(), 2U);
  EXPECT_EQ(all.tests[0].places[1].host, "gpu01");
  expect_prefixes_hold(text);
}

TEST(NcclInspector, broken_lines_are_said) {
  const std::string whole = call("0x1", 0, "AllReduce", 200);
  const Measurements all = measured_in(whole + whole.substr(0, whole.size() - 9) + "\n" + whole);
  ASSERT_EQ(all.tests.size(), 1U);
  EXPECT_EQ(all.tests[0].rows.size(), 2U);
  ASSERT_EQ(all.skipped.size(), 1U);
  EXPECT_EQ(all.skipped[0].where.line, 2U);
}

}  // namespace
}  // namespace railyard
