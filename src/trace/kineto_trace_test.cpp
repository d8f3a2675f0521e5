#include "trace/testing.h"

namespace railyard {

namespace {

Result<TraceDraft> kineto_of(std::string_view text, std::uint32_t ranks) {
  const auto bytes = bytes_of_text(text);
  return read_kineto_trace({"case.json", *bytes}, ranks);
}

/// A kernel of 10 us, a collective behind it, 5 us of nothing, another kernel.
constexpr const char* kStep = R"({"schemaVersion": 1, "traceEvents": [
 {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 990, "dur": 5},
 {"ph": "X", "cat": "kernel", "name": "gemm", "ts": 1000, "dur": 10, "args": {"stream": 7}},
 {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllGather_RING_LL", "ts": 1010, "dur": 20, "args": {
   "Collective name": "_allgather_base", "In msg nelems": 512, "Out msg nelems": 1024, "dtype": "BFloat16", "Group size": 2,
   "Process Group Ranks": "[0, 2]"}},
 {"ph": "X", "cat": "kernel", "name": "gemm", "ts": 1035, "dur": 10}]})";

TEST(KinetoTrace, has_kernels_collectives_and_what_the_host_took) {
  const Result<TraceDraft> draft = kineto_of(kStep, 4);
  ASSERT_TRUE(draft) << error_of(draft);
  ASSERT_EQ(draft->nodes.size(), 12U);
  EXPECT_EQ(draft->nodes[TraceNodeId(0)].amount, (10_us).count());
  EXPECT_EQ(draft->nodes[TraceNodeId(1)].kind, TraceCollective::all_gather);
  EXPECT_EQ(draft->nodes[TraceNodeId(1)].amount, 2048);
  EXPECT_EQ(draft->nodes[TraceNodeId(2)].amount, (15_us).count());
  EXPECT_EQ(draft->groups[TraceGroupId(draft->nodes[TraceNodeId(1)].peer)], (std::vector<std::uint32_t>{0, 2}));
  using Edges = std::vector<std::pair<TraceNodeId, TraceNodeId>>;
  const auto edge = [](std::uint32_t a, std::uint32_t b) { return std::pair(TraceNodeId(a), TraceNodeId(b)); };
  Edges first_edges = edges_of(draft->after_end);
  first_edges.resize(3);
  EXPECT_EQ(first_edges, (Edges{edge(0, 1), edge(0, 2), edge(1, 2)}));
}

TEST(KinetoTrace, refuses_what_is_no_trace_and_groups_that_do_not_fit) {
  EXPECT_EQ(error_of(kineto_of("{}", 2)), "RY-TRC-002 case.json");
  EXPECT_EQ(error_of(kineto_of("{\"traceEvents\": [{\"cat\": \"kernel\"", 2)), "RY-TRC-002 case.json");
  EXPECT_EQ(error_of(kineto_of("{\"traceEvents\": []}", 2)), "RY-TRC-002 case.json");
  EXPECT_EQ(error_of(kineto_of(kStep, 6)), "RY-TRC-007 case.json");
}

TEST(KinetoTrace, says_which_kernels_take_the_time_that_was_recorded) {
  const Result<TraceDraft> draft =
      kineto_of(R"({"traceEvents": [{"cat": "kernel", "name": "ncclDevKernel_SendRecv", "ts": 1, "dur": 2}]})", 2);
  ASSERT_TRUE(draft) << error_of(draft);
  EXPECT_EQ(draft->nodes[TraceNodeId(0)].op, TraceOp::compute);
  ASSERT_EQ(draft->notes.size(), 1U);
  EXPECT_EQ(draft->notes[0].code, "RY-TRC-009");
}

}  // namespace

}  // namespace railyard
