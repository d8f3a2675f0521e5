#include "trace/edges.h"

#include <algorithm>
#include <random>

#include "trace/message_pairs.h"
#include "trace/numbered_nodes.h"
#include "trace/testing.h"

namespace railyard {

namespace {

TraceEdges::Edge edge_at(std::uint32_t before, std::uint32_t after) { return {TraceNodeId(before), TraceNodeId(after)}; }

/// More than one part of them, in an order of chance and nearly in order: each row as it was added.
TEST(TraceEdges, are_rows_in_the_order_in_which_they_were_added) {
  constexpr std::uint32_t kNodes = 100'000;
  for (const std::uint32_t reach : {4U, kNodes}) {
    std::mt19937 chance(7);
    std::vector<TraceEdges::Edge> plain;
    for (std::uint32_t i = 0; i < 3 * kNodes; i++) {
      const std::uint32_t near = std::min(i / 3 + static_cast<std::uint32_t>(chance() % reach), kNodes - 1);
      plain.push_back(edge_at(near, static_cast<std::uint32_t>(chance() % kNodes)));
    }
    TraceEdges edges;
    for (const auto& [before, after] : plain) edges.add(before, after);
    EXPECT_EQ(edges.size(), plain.size());
    std::stable_sort(plain.begin(), plain.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    EXPECT_EQ(edges_of(edges), plain);
    const TraceSuccessors successors(std::move(edges), kNodes);
    std::vector<TraceEdges::Edge> rows;
    for (std::uint32_t node = 0; node < kNodes; node++)
      for (const TraceNodeId after : successors.row(TraceNodeId(node))) rows.emplace_back(TraceNodeId(node), after);
    EXPECT_EQ(rows, plain);
  }
}

/// More than what fits into the byte that each node has.
TEST(TraceWaits, count_to_any_number) {
  constexpr std::uint32_t kMany = 700;
  for (std::uint32_t count : {1U, 254U, 255U, 256U, kMany}) {
    TraceEdges edges;
    for (std::uint32_t i = 0; i < count; i++) edges.add(TraceNodeId(i), TraceNodeId(kMany));
    TraceWaits waits(TraceSuccessors(std::move(edges), kMany + 1), {}, kMany + 1);
    EXPECT_FALSE(waits.waits(TraceNodeId(0)));
    for (std::uint32_t i = 0; i < count; i++) {
      EXPECT_TRUE(waits.waits(TraceNodeId(kMany)));
      EXPECT_EQ(waits.take(TraceNodeId(kMany)), i + 1 == count) << count << " " << i;
    }
  }
}

TEST(NumberedNodes, are_found_whatever_the_order_of_their_numbers) {
  std::mt19937_64 chance(3);
  for (const bool in_order : {true, false}) {
    NumberedNodes nodes;
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0; i < 5'000; i++) numbers.push_back(i * i % 7 + 10 * i);
    if (!in_order) std::shuffle(numbers.begin(), numbers.end(), chance);
    for (std::uint32_t i = 0; i < numbers.size(); i++) EXPECT_TRUE(nodes.add(numbers[i], TraceNodeId(i)));
    EXPECT_FALSE(nodes.add(numbers[17], TraceNodeId(0)));
    for (std::uint32_t k = 0; k < numbers.size(); k++) {
      const auto i = static_cast<std::uint32_t>(chance() % numbers.size());
      EXPECT_EQ(nodes.find(numbers[i]), TraceNodeId(i));
      EXPECT_FALSE(nodes.find(10 * i + 9).valid());
    }
    nodes.clear();
    EXPECT_FALSE(nodes.find(numbers[0]).valid());
  }
}

/// Against a list of what every line has: sends and receives of few lines, in an order of chance.
TEST(MessagePairs, the_kth_send_of_a_line_meets_its_kth_receive) {
  std::mt19937 chance(5);
  TraceNodes nodes;
  std::vector<std::vector<std::uint32_t>> sends(64), receives(64);
  for (std::uint32_t i = 0; i < 4'000; i++) {
    const std::uint32_t from = chance() % 4, to = chance() % 4, tag = chance() % 4, line = from * 16 + to * 4 + tag;
    const bool send = chance() % 2 == 0;
    const TraceNodeId id = send ? nodes.push({.op = TraceOp::send, .rank = from, .peer = to, .tag = tag})
                                : nodes.push({.op = TraceOp::receive, .rank = to, .peer = from, .tag = tag});
    (send ? sends : receives)[line].push_back(id.index());
  }
  const MessagePairs pairs = pair_messages(nodes);
  std::size_t lone = 0;
  for (std::size_t line = 0; line < sends.size(); line++) {
    const std::size_t met = std::min(sends[line].size(), receives[line].size());
    for (std::size_t k = 0; k < met; k++) EXPECT_EQ(pairs.other_end[sends[line][k]], receives[line][k]);
    for (std::size_t k = 0; k < met; k++) EXPECT_EQ(pairs.other_end[receives[line][k]], sends[line][k]);
    lone += sends[line].size() + receives[line].size() - 2 * met;
  }
  EXPECT_EQ(pairs.lone_sends.size() + pairs.lone_receives.size(), lone);
}

}  // namespace

}  // namespace railyard
