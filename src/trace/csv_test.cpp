#include "trace/testing.h"

namespace railyard {

namespace {

Result<TraceDraft> csv_of(std::string_view text) {
  const auto bytes = bytes_of_text(text);
  return read_csv_trace({"case.csv", *bytes});
}

TEST(CsvTrace, operations_of_a_rank_follow_each_other) {
  const Result<TraceDraft> draft = csv_of(
      "rank,op,peer,group,bytes,us\n0,compute,,,,2.5\n0,isend,1,,4096,\n0,compute,,,,1\n0,wait\n0,allreduce,,0-1,64,\n"
      "1,recv,0,,4096,\n1,MPI_Allreduce,,0 1,64,\n2,compute,,,,1\n");
  ASSERT_TRUE(draft) << error_of(draft);
  EXPECT_EQ(draft->ranks, 3U);
  ASSERT_EQ(draft->nodes.size(), 7U);
  EXPECT_EQ(draft->nodes[TraceNodeId(0)].amount, 2'500'000);
  EXPECT_EQ(draft->nodes[TraceNodeId(1)].op, TraceOp::send);
  EXPECT_EQ(draft->nodes[TraceNodeId(3)].kind, TraceCollective::all_reduce);
  using Edges = std::vector<std::pair<TraceNodeId, TraceNodeId>>;
  const auto edge = [](std::uint32_t a, std::uint32_t b) { return std::pair(TraceNodeId(a), TraceNodeId(b)); };
  EXPECT_EQ(edges_of(draft->after_end), (Edges{edge(0, 1), edge(0, 2), edge(1, 3), edge(2, 3), edge(4, 5)}));
  EXPECT_EQ(draft->groups[TraceGroupId(draft->nodes[TraceNodeId(3)].peer)], (std::vector<std::uint32_t>{0, 1}));
}

TEST(CsvTrace, tells_the_line_of_a_mistake) {
  EXPECT_EQ(error_of(csv_of("rank,what\n")), "RY-TRC-002 case.csv:1");
  EXPECT_EQ(error_of(csv_of("rank,op\n")), "RY-TRC-002 case.csv:1");
  EXPECT_EQ(error_of(csv_of("rank,op\n0,think\n")), "RY-TRC-002 case.csv:2");
  EXPECT_EQ(error_of(csv_of("rank,op,us\n0,compute,\n")), "RY-TRC-002 case.csv:2");
  EXPECT_EQ(error_of(csv_of("rank,op,bytes,group\n0,allreduce,8,0-4\n")), "RY-TRC-002 case.csv:2");
}

}  // namespace

}  // namespace railyard
