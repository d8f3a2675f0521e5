#include <gtest/gtest.h>

#include "measured/fixtures.h"

namespace railyard {
namespace {

constexpr const char* kTrace = R"JSON({"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 16},
"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm {", "pid": 1, "tid": 2, "ts": 900, "dur": 10},
{"ph": "X", "cat": "kernel", "name": "gemm_bf16", "pid": 0, "tid": 7, "ts": 1000.5, "dur": 100, "args": {"stream": 7}},
{"ph": "X", "cat": "kernel", "name": "gemm_bf16", "pid": 0, "tid": 8, "ts": 1050.5, "dur": 100, "args": {"stream": 8}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "ts": 1120.5,
 "dur": 80, "args": {"Collective name": "allreduce", "In msg nelems": 1048576, "Out msg nelems": 1048576, "Group size": 8,
 "dtype": "BFloat16", "Process Group Description": "data_parallel"}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_Generic_4(x)", "ts": 1250.5, "dur": 50,
 "args": {"Collective name": "_allgather_base", "In msg nelems": 1024, "Out msg nelems": 8192, "dtype": "Float"}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH", "ts": 1400.5, "dur": 100},
{"ph": "M", "name": "process_name"}
]}
)JSON";

TEST(Kineto, compute_and_exposed_communication) {
  const Measurements all = measured_in(kTrace);
  ASSERT_EQ(all.traces.size(), 1U);
  const RankTrace& trace = all.traces[0];
  EXPECT_EQ(trace.rank, 3U);
  EXPECT_EQ(trace.ranks, 16U);
  EXPECT_NEAR(trace.seconds, 500e-6, 1e-12);
  EXPECT_NEAR(trace.compute_s, 150e-6, 1e-12) << "two kernels that overlap by half";
  EXPECT_NEAR(trace.exposed_s, 100e-6, 1e-12) << "50 of 80 us after the last kernel, and 50 us alone";
  ASSERT_EQ(trace.collectives.size(), 2U);
  EXPECT_EQ(trace.collectives[0].collective, "all_reduce");
  EXPECT_EQ(trace.collectives[0].group, "data_parallel");
  EXPECT_EQ(trace.collectives[0].ranks, 8U);
  EXPECT_EQ(trace.collectives[0].size, 2_MiB);
  EXPECT_NEAR(trace.collectives[0].start_s, 120e-6, 1e-12);
  EXPECT_NEAR(trace.collectives[0].seconds, 80e-6, 1e-12);
  EXPECT_EQ(trace.collectives[1].collective, "all_gather");
  EXPECT_EQ(trace.collectives[1].size, 32_KiB) << "all that is gathered";
}

TEST(Kineto, a_trace_that_breaks_off) {
  const std::string text(kTrace);
  const Measurements all = measured_in(text.substr(0, text.find("ncclDevKernel_Generic")));
  ASSERT_EQ(all.traces.size(), 1U);
  EXPECT_EQ(all.traces[0].collectives.size(), 1U);
  EXPECT_EQ(all.skipped.size(), 1U);
  expect_prefixes_hold(text);
}

TEST(Kineto, operations_of_the_cpu_where_no_kernel_communicates) {
  const Measurements all =
      measured_in(R"([{"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "ts": 5, "dur": 2,)"
                  R"( "args": {"Collective name": "reduce_scatter_tensor", "In msg nelems": 16, "dtype": "Float"}}])");
  ASSERT_EQ(all.traces.size(), 1U);
  ASSERT_EQ(all.traces[0].collectives.size(), 1U);
  EXPECT_EQ(all.traces[0].collectives[0].collective, "reduce_scatter");
  EXPECT_EQ(all.traces[0].seconds, 0);
}

}  // namespace
}  // namespace railyard
