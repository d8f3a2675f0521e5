#include "trace/testing.h"

namespace railyard {

namespace {

TEST(GoalTrace, has_labels_streams_comments_and_both_kinds_of_waiting) {
  const Result<TraceDraft> draft = goal_of(
      "// made by hand\nnum_ranks 1\n\nrank 0 { /* one\ntwo */\nl1: calc 100 cpu 1\nl2:send 8b to 0 tag 3 cpu 0 nic 0\n"
      "l3: recv 8b from 0 tag 3\nl2 requires l1\nl3 irequires l2\n}\n");
  ASSERT_TRUE(draft) << error_of(draft);
  ASSERT_EQ(draft->nodes.size(), 3U);
  EXPECT_EQ(draft->nodes[TraceNodeId(0)].stream, 1U);
  EXPECT_EQ(draft->nodes[TraceNodeId(0)].amount, (100_ns).count());
  EXPECT_EQ(draft->nodes[TraceNodeId(1)].tag, 3U);
  EXPECT_EQ(draft->nodes[TraceNodeId(1)].place, 7U);
  EXPECT_EQ(draft->after_end.size(), 1U);
  EXPECT_EQ(draft->after_begin.size(), 1U);
}

TEST(GoalTrace, tells_the_line_of_what_is_no_goal) {
  EXPECT_EQ(error_of(goal_of("rank 0 {\n}\n")), "RY-TRC-002 case.goal:1");
  EXPECT_EQ(error_of(goal_of("num_ranks 0\n")), "RY-TRC-002 case.goal:1");
  EXPECT_EQ(error_of(goal_of("")), "RY-TRC-002 case.goal");
  EXPECT_EQ(error_of(goal_of("num_ranks 2\nrank 0 {\ncalc 1\n}\nrank 3 {\n")), "RY-TRC-002 case.goal:5");
  EXPECT_EQ(error_of(goal_of("num_ranks 1\nrank 0 {\ncalc fast\n}\n")), "RY-TRC-002 case.goal:3");
  EXPECT_EQ(error_of(goal_of("num_ranks 1\nrank 0 {\nsend 8 to 1\n}\n")), "RY-TRC-002 case.goal:3");
  EXPECT_EQ(error_of(goal_of("num_ranks 1\nrank 0 {\na: calc 1\na requires b\n}\n")), "RY-TRC-002 case.goal:4");
  EXPECT_EQ(error_of(goal_of("num_ranks 1\nrank 0 {\na: calc 1\na: calc 1\n}\n")), "RY-TRC-002 case.goal:4");
  EXPECT_EQ(error_of(goal_of("num_ranks 1\nrank 0 {\ncalc 1 tag 2\n}\n")), "RY-TRC-002 case.goal:3");
}

TEST(GoalTrace, tells_where_it_breaks_off) {
  EXPECT_EQ(error_of(goal_of("num_ranks 2\nrank 0 {\ncalc 1\n")), "RY-TRC-002 case.goal:3");
  EXPECT_EQ(error_of(goal_of("num_ranks 2\nrank 0 {\ncalc 1\n}\n")), "RY-TRC-002 case.goal:4");
}

/// Lines longer than one look at the bytes, and files longer than a part of them.
TEST(GoalTrace, is_read_part_by_part) {
  std::string text = "num_ranks 1\nrank 0 {\n";
  for (std::size_t i = 0; i < 20'000; i++)
    text += "label_" + std::to_string(i) + ": calc 7 /* " + std::string(i % 700, 'x') + " */\n";
  text += "}\n";
  const Result<TraceDraft> draft = goal_of(text);
  ASSERT_TRUE(draft) << error_of(draft);
  EXPECT_EQ(draft->nodes.size(), 20'000U);
  EXPECT_EQ(draft->nodes[TraceNodeId(19'999)].place, 20'002U);
  EXPECT_EQ(error_of(goal_of("num_ranks 1\n" + std::string(std::size_t{2} << 20, ' '))), "RY-TRC-002 case.goal:1");
}

TEST(GoalTrace, labels_are_numbers_or_words_and_differ) {
  const Result<TraceDraft> draft =
      goal_of("num_ranks 1\nrank 0 {\nl01: calc 1\nl1: calc 2\nsend_3: calc 3\nl1 requires l01\nsend_3 requires l1\n}\n");
  ASSERT_TRUE(draft) << error_of(draft);
  using Edges = std::vector<std::pair<TraceNodeId, TraceNodeId>>;
  EXPECT_EQ(edges_of(draft->after_end), (Edges{{TraceNodeId(0), TraceNodeId(1)}, {TraceNodeId(1), TraceNodeId(2)}}));
  EXPECT_EQ(error_of(goal_of("num_ranks 1\nrank 0 {\nl2: calc 1\nl1: calc 1\nl2: calc 1\n}\n")), "RY-TRC-002 case.goal:5");
  EXPECT_EQ(error_of(goal_of("num_ranks 1\nrank 0 {\nl2: calc 1\nl2 requires l3\n}\n")), "RY-TRC-002 case.goal:4");
}

}  // namespace

}  // namespace railyard
