#include "trace/graph.h"

#include "trace/testing.h"

namespace railyard {

namespace {

constexpr const char* kPingPong = R"(num_ranks 2
rank 0 {
a: send 100b to 1 tag 1
b: recv 50b from 1 tag 2
b requires a
}
rank 1 {
a: recv 100b from 0 tag 1
w: calc 1000
b: send 50b to 0 tag 2
w requires a
b requires w
}
)";

TEST(TraceGraph, pairs_sends_with_receives_and_counts_what_nodes_wait_for) {
  const Result<TraceGraph> graph = graph_of(kPingPong);
  ASSERT_TRUE(graph);
  ASSERT_EQ(graph->nodes.size(), 5U);
  EXPECT_EQ(graph->message_end(TraceNodeId(0)), TraceNodeId(2));
  EXPECT_EQ(graph->message_end(TraceNodeId(2)), TraceNodeId(0));
  EXPECT_EQ(graph->message_end(TraceNodeId(4)), TraceNodeId(1));
  EXPECT_EQ(graph->after_end.row(TraceNodeId(3)).size(), 1U);
  EXPECT_EQ(graph->after_end.row(TraceNodeId(3))[0], TraceNodeId(4));
  EXPECT_EQ(graph->nodes[TraceNodeId(3)].amount, (1_us).count());
}

TEST(TraceGraph, messages_of_one_line_keep_the_order_of_the_file) {
  const Result<TraceGraph> graph = graph_of(
      "num_ranks 2\nrank 0 {\nsend 1b to 1 tag 0\nsend 2b to 1 tag 0\nsend 3b to 1 tag 5\n}\n"
      "rank 1 {\nrecv 3b from 0 tag 5\nrecv 1b from 0 tag 0\nrecv 2b from 0 tag 0\n}\n");
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->message_end(TraceNodeId(0)), TraceNodeId(4));
  EXPECT_EQ(graph->message_end(TraceNodeId(1)), TraceNodeId(5));
  EXPECT_EQ(graph->message_end(TraceNodeId(2)), TraceNodeId(3));
}

TEST(TraceGraph, a_receive_from_anybody_takes_what_no_other_has) {
  const Result<TraceGraph> graph = graph_of(
      "num_ranks 3\nrank 0 {\nrecv 1b from -1 tag -1\nrecv 1b from 1 tag 0\n}\nrank 1 {\nsend 1b to 0 tag 0\n}\n"
      "rank 2 {\nsend 1b to 0 tag 7\n}\n");
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->message_end(TraceNodeId(0)), TraceNodeId(3));
  EXPECT_EQ(graph->message_end(TraceNodeId(1)), TraceNodeId(2));
}

TEST(TraceGraph, refuses_what_cannot_be_played_with_its_line) {
  EXPECT_EQ(error_of(graph_of("num_ranks 2\nrank 0 {\nsend 1b to 1 tag 0\n}\nrank 1 {\n}\n")), "RY-TRC-004 case.goal:3");
  EXPECT_EQ(error_of(graph_of("num_ranks 2\nrank 0 {\n}\nrank 1 {\nrecv 1b from 0 tag 0\n}\n")), "RY-TRC-004 case.goal:5");
  EXPECT_EQ(error_of(graph_of("num_ranks 2\nrank 0 {\nsend 9b to 1 tag 0\n}\nrank 1 {\nrecv 1b from 0 tag 0\n}\n")),
            "RY-TRC-004 case.goal:6");
  EXPECT_EQ(error_of(graph_of("num_ranks 1\nrank 0 {\nsend 1b to 4 tag 0\n}\n")), "RY-TRC-003 case.goal:3");
  EXPECT_EQ(error_of(graph_of("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n")),
            "RY-TRC-006 case.goal:3");
}

/// Each receives before it sends: nobody begins.
TEST(TraceGraph, a_lone_rank_with_peers_is_told_once_to_be_repeated) {
  const Result<TraceGraph> graph = graph_of("num_ranks 1\nrank 0 {\nsend 1b to 1 tag 0\nrecv 1b from 7 tag 0\n}\n");
  ASSERT_FALSE(graph);
  ASSERT_EQ(graph.error().size(), 1U);
  EXPECT_NE(graph.error().front().hint.find("--ranks 8"), std::string::npos) << graph.error().front().hint;
}

TEST(TraceGraph, finds_circles_over_several_ranks) {
  const Result<TraceGraph> graph = graph_of(
      "num_ranks 2\nrank 0 {\nr: recv 1b from 1 tag 0\ns: send 1b to 1 tag 0\ns requires r\n}\n"
      "rank 1 {\nr: recv 1b from 0 tag 0\ns: send 1b to 0 tag 0\ns requires r\n}\n");
  EXPECT_EQ(error_of(graph), "RY-TRC-006 case.goal:3");
}

TraceDraft two_ranks() {
  TraceDraft draft;
  draft.files = {"case"};
  draft.ranks = 2;
  draft.groups.push({0, 1});
  return draft;
}

TraceNodeId add_collective(TraceDraft& draft, std::uint32_t rank, std::uint32_t group, std::int64_t bytes,
                           TraceCollective kind = TraceCollective::all_reduce) {
  return draft.nodes.push({.op = TraceOp::collective, .kind = kind, .rank = rank, .peer = group, .place = 7, .amount = bytes});
}

TEST(TraceGraph, the_kth_collective_of_a_rank_is_the_kth_of_every_other) {
  TraceDraft draft = two_ranks();
  for (const std::uint32_t rank : {0U, 1U})
    for (const std::int64_t bytes : {100, 200}) add_collective(draft, rank, 0, bytes);
  const Result<TraceGraph> graph = finish_trace(std::move(draft), 2);
  ASSERT_TRUE(graph);
  ASSERT_EQ(graph->calls.size(), 2U);
  EXPECT_EQ(graph->calls[TraceCallId(0)].next, TraceCallId(1));
  EXPECT_EQ(graph->calls[TraceCallId(1)].size, 200_B);
  EXPECT_EQ(graph->call_of(TraceNodeId(3)), TraceCallId(1));
}

TEST(TraceGraph, refuses_ranks_of_a_group_that_do_not_do_the_same) {
  TraceDraft missing = two_ranks();
  add_collective(missing, 0, 0, 100);
  EXPECT_EQ(error_of(finish_trace(std::move(missing), 2)), "RY-TRC-005 case:7");
  TraceDraft other = two_ranks();
  add_collective(other, 0, 0, 100);
  add_collective(other, 1, 0, 100, TraceCollective::all_to_all);
  EXPECT_EQ(error_of(finish_trace(std::move(other), 2)), "RY-TRC-005 case:7");
  TraceDraft outside = two_ranks();
  outside.groups.push({1, 5});
  add_collective(outside, 1, 1, 100);
  EXPECT_EQ(error_of(finish_trace(std::move(outside), 2)), "RY-TRC-003 case:7");
}

/// One rank waits with the first collective for the second, the other the other way round.
TEST(TraceGraph, finds_circles_of_collectives) {
  TraceDraft draft = two_ranks();
  draft.groups.push({0, 1});
  const TraceNodeId a0 = add_collective(draft, 0, 0, 1), b0 = add_collective(draft, 0, 1, 1);
  const TraceNodeId a1 = add_collective(draft, 1, 0, 1), b1 = add_collective(draft, 1, 1, 1);
  draft.after_end = {{a0, b0}, {b1, a1}};
  EXPECT_EQ(error_of(finish_trace(std::move(draft), 2)), "RY-TRC-006 case:7");
}

TEST(TraceGraph, is_repeated_copy_by_copy) {
  const Result<TraceGraph> graph = graph_of(kPingPong, 6);
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->ranks, 6U);
  EXPECT_EQ(graph->file_ranks, 2U);
  ASSERT_EQ(graph->nodes.size(), 15U);
  EXPECT_EQ(graph->nodes[TraceNodeId(10)].rank, 4U);
  EXPECT_EQ(graph->nodes[TraceNodeId(10)].peer, 5U);
  EXPECT_EQ(graph->message_end(TraceNodeId(10)), TraceNodeId(12));
  EXPECT_EQ(error_of(graph_of(kPingPong, 5)), "RY-TRC-007 case.goal");
}

TEST(TraceGraph, groups_of_all_ranks_grow_and_others_are_copied) {
  TraceDraft draft = two_ranks();
  draft.groups.push({1});
  add_collective(draft, 0, 0, 100);
  add_collective(draft, 1, 0, 100);
  add_collective(draft, 1, 1, 100);
  Result<TraceDraft> repeated = repeat_trace(std::move(draft), 4);
  ASSERT_TRUE(repeated);
  const Result<TraceGraph> graph = finish_trace(std::move(*repeated), 2);
  ASSERT_TRUE(graph);
  ASSERT_EQ(graph->calls.size(), 3U);
  EXPECT_EQ(graph->groups[graph->calls[TraceCallId(0)].group], (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(graph->groups[graph->calls[TraceCallId(1)].group], (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(graph->groups[graph->calls[TraceCallId(2)].group], (std::vector<std::uint32_t>{3}));
}

/// Of a trace of one rank, peers lie as far from every copy.
TEST(TraceGraph, one_rank_of_a_ring_becomes_a_ring) {
  const Result<TraceGraph> graph = graph_of("num_ranks 1\nrank 0 {\nsend 8b to 1 tag 0\nrecv 8b from 3 tag 0\n}\n", 4);
  ASSERT_TRUE(graph);
  for (std::uint32_t rank = 0; rank < 4; rank++) EXPECT_EQ(graph->nodes[TraceNodeId(2 * rank)].peer, (rank + 1) % 4);
}

TEST(TraceGraph, what_one_rank_has_before_is_gathered_from_all) {
  TraceDraft draft = two_ranks();
  draft.gathers_parts = true;
  for (const std::uint32_t rank : {0U, 1U}) add_collective(draft, rank, 0, 100, TraceCollective::all_gather);
  const Result<TraceGraph> graph = finish_trace(std::move(draft), 2);
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->calls[TraceCallId(0)].size, 200_B);
}

}  // namespace

}  // namespace railyard
