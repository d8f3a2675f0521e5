#include <gtest/gtest.h>

#include <algorithm>

#include "measured/fixtures.h"

namespace railyard {
namespace {

CollectiveTest only_test(const std::string& text, const std::string& file = "job.log") {
  const Measurements all = measured_in(text, file);
  EXPECT_EQ(all.tests.size(), 1U);
  return all.tests.empty() ? CollectiveTest() : all.tests.front();
}

constexpr const char* kNew = R"(# nccl-tests version 2.17.9 nccl-headers=22903 nccl-library=22903
# Collective test starting: all_reduce_perf
# nThread 1 nGpus 1 minBytes 1048576 maxBytes 2147483648 step: 32(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0
#
# Using devices
#  Rank  0 Group  0 Pid    101 on      gpu01 device  0 [0000:1a:00] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid    102 on      gpu01 device  1 [0000:3b:00] NVIDIA H100 80GB HBM3
#  Rank  2 Group  0 Pid    201 on      gpu02 device  0 [0000:1a:00] NVIDIA H100 80GB HBM3
#  Rank  3 Group  0 Pid    202 on      gpu02 device  1 [0000:3b:00] NVIDIA H100 80GB HBM3
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    80.00   13.11   19.66       0    82.00   12.79   19.18       0
  1073741824     268435456     float     sum      -1   8000.0  134.22  201.33       0   8100.0  132.56  198.84       2
# Out of bounds values : 2 FAILED
# Avg bus bandwidth    : 109.753
#
# Collective test concluded: all_reduce_perf
)";

TEST(NcclTests, a_table_of_today) {
  const CollectiveTest test = only_test(kNew);
  EXPECT_EQ(test.tool, "nccl-tests");
  EXPECT_EQ(test.version, "2.17.9");
  EXPECT_EQ(test.library, "2.29.3");
  EXPECT_EQ(test.collective, "all_reduce");
  EXPECT_EQ(test.ranks, 4U);
  EXPECT_EQ(test.nodes, 2U);
  ASSERT_EQ(test.places.size(), 4U);
  EXPECT_EQ(test.places[3].host, "gpu02");
  EXPECT_EQ(test.places[3].bus, "0000:3b:00");
  EXPECT_EQ(test.places[3].gpu, "NVIDIA H100 80GB HBM3");
  ASSERT_EQ(test.rows.size(), 4U);
  EXPECT_EQ(test.rows[2].size, 1_GiB);
  EXPECT_FALSE(test.rows[2].in_place);
  EXPECT_TRUE(test.rows[3].in_place);
  EXPECT_DOUBLE_EQ(test.rows[2].time_s, 8e-3);
  EXPECT_DOUBLE_EQ(test.rows[2].bus_bandwidth, 201.33e9);
  EXPECT_EQ(test.rows[3].wrong, 2U);
  EXPECT_EQ(test.rows[3].where.line, 15U);
  EXPECT_EQ(test.out_of_bounds, 2U);
  EXPECT_DOUBLE_EQ(test.average_bus_bandwidth.value_or(0), 109.753e9);
  EXPECT_TRUE(test.finished);
}

TEST(NcclTests, every_beginning_is_read) { expect_prefixes_hold(kNew); }

TEST(NcclTests, a_cut_row_is_skipped_and_said) {
  const std::string text(kNew);
  const Measurements all = measured_in(text.substr(0, text.find("198.84")));
  ASSERT_EQ(all.tests.size(), 1U);
  EXPECT_EQ(all.tests[0].rows.size(), 3U) << "the half that is whole stays";
  EXPECT_FALSE(all.tests[0].finished);
  ASSERT_EQ(all.skipped.size(), 1U);
  EXPECT_EQ(all.skipped[0].what, "a row of nccl-tests that is cut off");
  EXPECT_EQ(all.skipped[0].where.line, 15U);
}

TEST(NcclTests, old_tables_by_their_columns) {
  constexpr const char* kGather = R"(
#                                             out-of-place                       in-place
#       size         count    type     time   algbw   busbw  error     time   algbw   busbw  error
#        (B)    (elements)             (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
           0             0   float    30.10    0.00    0.00    N/A    30.20    0.00    0.00    N/A
     4194304        262144   float    110.0   38.13   28.60  0e+00    112.0   37.45   28.09  1e+00
)";
  const CollectiveTest gather = only_test(kGather);
  EXPECT_EQ(gather.collective, "all_gather") << "its table has no reduction";
  EXPECT_EQ(gather.ranks, 4U) << "4 MiB of 4 B each, 262144 a rank";
  ASSERT_EQ(gather.rows.size(), 4U);
  EXPECT_FALSE(gather.rows[0].wrong) << "was not checked";
  EXPECT_EQ(gather.rows[3].wrong, 1U);
  EXPECT_DOUBLE_EQ(gather.rows[3].bus_bandwidth, 28.09e9);

  constexpr const char* kAllToAll = R"(
#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
     4194304        131072   float            90.00   46.60   40.78    N/A    91.00   46.09   40.33    N/A
)";
  const CollectiveTest all_to_all = only_test(kAllToAll);
  EXPECT_EQ(all_to_all.collective, "alltoall") << "its reduction is blank";
  EXPECT_EQ(all_to_all.ranks, 8U);
  ASSERT_EQ(all_to_all.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(all_to_all.rows[1].time_s, 91e-6);

  constexpr const char* kReduce = R"(
#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
     8388608       2097152    half     sum    210.0   39.95   69.91  2e-07    209.0   40.14   70.24  2e-07
)";
  EXPECT_EQ(only_test(kReduce).rows.size(), 2U);
}

TEST(NcclTests, ranks_by_the_ratio_of_bandwidths) {
  constexpr const char* kTable = R"(
  1073741824     268435456     float     sum      -1   5400.0  198.84  385.26      0   5410.0  198.47  384.54      0
  8589934592    2147483648     float     sum      -1    42600  201.64  390.68      0    42610  201.59  390.59      0
)";
  const CollectiveTest test = only_test(kTable);
  EXPECT_EQ(test.collective, "all_reduce");
  EXPECT_EQ(test.ranks, 32U) << "390.68 / 201.64 is 2 · 31 / 32";
  EXPECT_FALSE(test.finished);
}

TEST(NcclTests, an_elided_list_of_ranks_does_not_decide) {
  std::string text(kNew);
  text.erase(text.find("#  Rank  2"), text.find("#\n#      ") - text.find("#  Rank  2"));
  const CollectiveTest test = only_test(text);
  EXPECT_EQ(test.places.size(), 2U);
  EXPECT_EQ(test.ranks, 4U) << "201.33 / 134.22 is 2 · 3 / 4";
  EXPECT_FALSE(test.nodes);
}

TEST(NcclTests, noise_inside_the_table) {
  constexpr const char* kTable = R"($ mpirun -np 16 ./build/reduce_scatter_perf -b 8 -e 1G
gpu01:10:11 [0] NCCL INFO NCCL version 2.27.3+cuda12.8
gpu01:10:11 [0] NCCL INFO comm 0x55 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
...
[1,0]<stdout>:     1048576         16384     float     sum      -1    70.00   14.98   14.04      0    71.00   14.77   13.85      0
     2097152         32768     float     sum      -1[0]   1626.5    1.29    1.21      0    75.00   27.96   26.21      0
user@login:~$ sleep 1
gpu01:10:12 [0] NCCL INFO Launch mode Parallel
     4194304         65536     float     sum      -1    90.00   46.60   43.69      0    91.00   46.09   43.21      0
)";
  const Measurements all = measured_in(kTable);
  std::size_t rows = 0;
  for (const CollectiveTest& test : all.tests) {
    EXPECT_EQ(test.collective, "reduce_scatter");
    EXPECT_EQ(test.ranks, 16U);
    EXPECT_EQ(test.nodes, 2U);
    EXPECT_EQ(test.library, "2.27.3");
    rows += test.rows.size();
  }
  EXPECT_EQ(rows, 6U);
  EXPECT_DOUBLE_EQ(all.tests.front().rows[0].time_s, 1626.5e-6);
}

TEST(NcclTests, prefixes_of_kubernetes_and_srun) {
  std::string tagged;
  std::string line;
  for (const char* c = kNew; *c; c++) {
    line += *c;
    if (*c != '\n') continue;
    tagged += " 0: " + line;
    line.clear();
  }
  const CollectiveTest test = only_test(tagged);
  EXPECT_EQ(test.rows.size(), 4U);
  EXPECT_EQ(test.places.size(), 4U);
  EXPECT_TRUE(test.finished);
}

TEST(NcclTests, several_ranks_print_a_table_each) {
  constexpr const char* kHead = "#       size         count      type   redop    root     time   algbw   busbw #wrong\n";
  const auto row = [](int size, double time) {
    return "  " + std::to_string(size) + "  " + std::to_string(size / 4) + "  float  sum  -1  " + std::to_string(time) +
           "  1.00  1.00  0\n";
  };
  const std::string untagged = std::string(kHead) + kHead + row(1024, 10) + row(1024, 11) + row(2048, 20) + row(2048, 21);
  const Measurements plain = measured_in(untagged);
  ASSERT_EQ(plain.tests.size(), 2U);
  for (const CollectiveTest& test : plain.tests) ASSERT_EQ(test.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(plain.tests[0].rows[1].time_s, 20e-6);
  EXPECT_DOUBLE_EQ(plain.tests[1].rows[1].time_s, 21e-6);

  const std::string tagged =
      "1: " + std::string(kHead) + "0: " + kHead + "1: " + row(1024, 10) + "1: " + row(2048, 20) + "0: " + row(1024, 11);
  const Measurements by_rank = measured_in(tagged);
  ASSERT_EQ(by_rank.tests.size(), 2U);
  EXPECT_EQ(by_rank.tests[0].rows.size(), 2U);
  EXPECT_EQ(by_rank.tests[1].rows.size(), 1U);
}

TEST(NcclTests, several_tests_in_one_file) {
  std::string second(kNew);
  for (std::size_t at = second.find("all_reduce"); at != std::string::npos; at = second.find("all_reduce"))
    second.replace(at, 10, "sendrecv");
  const Measurements all = measured_in(std::string(kNew) + second);
  ASSERT_EQ(all.tests.size(), 2U);
  EXPECT_EQ(all.tests[0].collective, "all_reduce");
  EXPECT_EQ(all.tests[1].collective, "sendrecv");
  EXPECT_EQ(all.tests[1].places.size(), 4U);
}

TEST(NcclTests, decimal_commas) {
  std::string text(kNew);
  for (std::size_t at = text.find("  1073741824"); at < text.size(); at++)
    if (text[at] == '.') text[at] = ',';
  const CollectiveTest test = only_test(text);
  ASSERT_EQ(test.rows.size(), 4U);
  EXPECT_DOUBLE_EQ(test.rows[2].bus_bandwidth, 201.33e9);
  EXPECT_DOUBLE_EQ(test.average_bus_bandwidth.value_or(0), 109.753e9);
}

TEST(NcclTests, rccl_tests_without_header_or_gpu_names) {
  constexpr const char* kTable = R"(Ranks: 16
RCCL version : 2.27.7-HEAD:0123abc
rccl-tests: Version develop:77aa11b
#  Rank  0 Group  0 Pid    268 on node-0 device  0 [0000:11:00]
#  Rank  7 Group  0 Pid    275 on node-0 device  7 [0000:da:00]
#  Rank 15 Group  0 Pid    121 on node-1 device  7 [0000:da:00]
  1073741824     268435456     float     sum      -1   5800.0  185.13  347.12    N/A   5810.0  184.81  346.52    N/A
# Collective test concluded: all_reduce_perf
)";
  const CollectiveTest test = only_test(kTable);
  EXPECT_EQ(test.tool, "rccl-tests");
  EXPECT_EQ(test.version, "develop:77aa11b");
  EXPECT_EQ(test.library, "2.27.7");
  EXPECT_EQ(test.ranks, 16U);
  EXPECT_EQ(test.nodes, 2U);
  EXPECT_EQ(test.rows.size(), 2U);
  EXPECT_EQ(test.places[1].gpu, "");
  EXPECT_FALSE(test.rows[0].wrong);
}

TEST(NcclTests, times_of_each_iteration_and_time_stamps) {
  constexpr const char* kTable =
      "#  size  count  type  redop  root  time  algbw  busbw  #wrong  i_min  i_max  i_p99  i_cv%  time  algbw  busbw  #wrong  "
      "i_min  i_max  i_p99  i_cv% timestamp\n"
      "  1048576  262144  float  sum  -1  80.00  13.11  19.66  0  79.00  91.00  90.00  2.10  82.00  12.79  19.18  0  81.00  "
      "93.00  92.00  2.20 2026-01-02 03:04:05\n";
  const CollectiveTest test = only_test(kTable);
  ASSERT_EQ(test.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(test.rows[1].time_s, 82e-6);
  EXPECT_DOUBLE_EQ(test.rows[1].bus_bandwidth, 19.18e9);
}

TEST(NcclTests, tables_without_checks_and_averages_alone) {
  constexpr const char* kTable =
      "#  size  count  type  redop  root  time  algbw  busbw\n"
      "  1073741824  2.68e+8  float  sum  -1  4500.0  238.61  447.39\n";
  const CollectiveTest test = only_test(kTable);
  ASSERT_EQ(test.rows.size(), 1U);
  EXPECT_DOUBLE_EQ(test.rows[0].bus_bandwidth, 447.39e9);
  EXPECT_FALSE(test.rows[0].wrong);
  const CollectiveTest average = only_test("# Avg bus bandwidth    : 361.5\n", "sendrecv.log");
  EXPECT_DOUBLE_EQ(average.average_bus_bandwidth.value_or(0), 361.5e9);
  EXPECT_EQ(average.collective, "sendrecv");
}

constexpr const char* kReport = R"({"version":2,"start_time":"2026-01-02 03:04:05",
"args":["/opt/nccl-tests/build/all_gather_perf","-J","out.json"],"env":["HOME=/x"],"nccl_version":22803,
"config":{"nthreads":1,"ngpus":1,"devices":[
{"rank":0,"group":0,"pid":7,"hostname":"gpu01","device":0,"device_hex":"0000:1a:00","device_info":"NVIDIA H200"},
{"rank":1,"group":0,"pid":9,"hostname":"gpu02","device":0,"device_hex":"0000:1a:00","device_info":"NVIDIA H200"}]},
"results":[
{"size":1048576,"count":131072,"type":"float","redop":"none","root":"    -1","out_of_place":{"time":60.5,"alg_bw":17.33,
"bus_bw":8.67,"nwrong":0.0},"in_place":{"time":61.5,"alg_bw":17.05,"bus_bw":8.53,"nwrong":null},"actual_iterations":20,
"experiment_name":"all_gather_perf"}],
"out_of_bounds":{"count":0,"okay":"true"},"average_bus_bandwidth":{"bandwidth":8.6,"okay":"unchecked"},"errors":[],
"end_time":"2026-01-02 03:05:05"}
)";

TEST(NcclTests, the_json_report) {
  const CollectiveTest test = only_test(kReport);
  EXPECT_EQ(test.collective, "all_gather");
  EXPECT_EQ(test.library, "2.28.3");
  EXPECT_EQ(test.ranks, 2U);
  EXPECT_EQ(test.nodes, 2U);
  ASSERT_EQ(test.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(test.rows[0].time_s, 60.5e-6);
  EXPECT_EQ(test.rows[0].wrong, 0U);
  EXPECT_FALSE(test.rows[1].wrong);
  EXPECT_TRUE(test.rows[1].in_place);
  EXPECT_EQ(test.rows[0].where.line, 7U);
  EXPECT_DOUBLE_EQ(test.average_bus_bandwidth.value_or(0), 8.6e9);
  EXPECT_EQ(test.out_of_bounds, 0U);
  EXPECT_TRUE(test.finished);
}

TEST(NcclTests, a_json_report_that_breaks_off) {
  const std::string text(kReport);
  const Measurements all = measured_in(text.substr(0, text.find(",\"bus_bw\":8.53") + 14) + "3");
  ASSERT_EQ(all.tests.size(), 1U);
  EXPECT_EQ(all.tests[0].rows.size(), 1U);
  EXPECT_FALSE(all.tests[0].finished);
  EXPECT_EQ(all.skipped.size(), 1U);
  expect_prefixes_hold(text);
}

}  // namespace
}  // namespace railyard
