#include "collective/lower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace railyard {
namespace {

using enum CollectiveKind;
using Algorithm = CollectiveAlgorithm;

Schedule lowered(CollectiveKind kind, Algorithm algorithm, const Shape& shape, Bytes size, std::uint32_t pipeline = 0) {
  Result<Schedule> schedule = lower(kind, algorithm, shape, size, {.pipeline = pipeline});
  EXPECT_TRUE(schedule) << (schedule ? "" : to_text(schedule.error()[0]));
  return std::move(*schedule);
}

/// One switch over all.
ReductionTree one_switch(std::uint32_t positions) {
  ReductionTree tree{1, Table<PositionId, PositionId>(positions, PositionId(positions))};
  tree.parent.push(PositionId());
  return tree;
}

/// The most any rank sends.
Bytes most_sent(const Schedule& schedule) {
  std::map<PositionId, Bytes> sent;
  for (const EdgeLoad& load : edge_loads(schedule))
    if (!schedule.is_switch(load.from)) sent[load.from] += load.bytes;
  Bytes most;
  for (const auto& [position, bytes] : sent) most = std::max(most, bytes);
  return most;
}

std::size_t memory(const Schedule& schedule) {
  std::size_t bytes = sizeof(Schedule);
  for (const Round& round : schedule.rounds) bytes += sizeof(Round) + round.transfers.capacity() * sizeof(Transfer);
  return bytes;
}

TEST(Lower, refuses_what_does_not_exist_and_names_what_does) {
  const auto refused = lower(all_to_all, Algorithm::tree, {.positions = 4}, 1_KiB);
  ASSERT_FALSE(refused);
  EXPECT_EQ(to_text(refused.error()[0]), "error RY-RUN-004: all_to_all has no algorithm \"tree\"; use direct, pxn");
  EXPECT_FALSE(lower(send, Algorithm::automatic, {.positions = 4}, 1_KiB));
}

TEST(Lower, refuses_domains_that_do_not_divide_the_group_and_domains_without_a_switch) {
  const auto broken = lower(all_reduce, Algorithm::hierarchical, {.positions = 12, .per_domain = 8}, 1_KiB);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error()[0].code, "RY-RUN-004");
  EXPECT_EQ(broken.error()[0].message, "domains of 8 do not divide 12 ranks, which \"hierarchical\" needs");
  EXPECT_FALSE(lower(all_reduce, Algorithm::nvls, {.positions = 12}, 1_KiB));
}

TEST(Lower, no_rank_sends_more_than_the_closed_form) {
  const Bytes size = 960_KiB;  // divides by all below
  const std::int64_t whole = size.count();
  const Shape eight{.positions = 8, .tree = one_switch(8)}, six{.positions = 6}, nodes{.positions = 24, .per_domain = 4};
  const Shape node{.positions = 8, .per_domain = 8};
  const auto most = [&](CollectiveKind kind, Algorithm algorithm, const Shape& shape) {
    return most_sent(lowered(kind, algorithm, shape, size, 2)).count();
  };
  for (const Algorithm algorithm : {Algorithm::ring, Algorithm::halving_doubling, Algorithm::direct}) {
    EXPECT_EQ(most(all_reduce, algorithm, eight), 2 * whole * 7 / 8);
    EXPECT_EQ(most(all_gather, algorithm, eight), whole * 7 / 8);
    EXPECT_EQ(most(reduce_scatter, algorithm, eight), whole * 7 / 8);
  }
  EXPECT_EQ(most(all_reduce, Algorithm::halving_doubling, six), whole * 3 / 4 * 2 + whole);  // 4 work, 2 of them for 2 more
  for (const Algorithm algorithm : {Algorithm::ring, Algorithm::tree, Algorithm::in_network}) {
    EXPECT_EQ(most(broadcast, algorithm, eight), whole);
    EXPECT_EQ(most(reduce, algorithm, eight), whole);
  }
  EXPECT_EQ(most(send, Algorithm::ring, eight), whole);
  EXPECT_EQ(most(all_reduce, Algorithm::tree, eight), 2 * whole);
  EXPECT_EQ(most(all_to_all, Algorithm::direct, eight), whole * 7 / 8);
  EXPECT_EQ(most(all_to_all, Algorithm::pxn, nodes), whole * (3 * 6 + 5 * 4) / 24);
  EXPECT_EQ(most(all_reduce, Algorithm::hierarchical, nodes), 2 * whole * 23 / 24);
  EXPECT_EQ(most(all_gather, Algorithm::hierarchical, nodes), whole * 23 / 24);
  EXPECT_EQ(most(reduce_scatter, Algorithm::hierarchical, nodes), whole * 23 / 24);
  EXPECT_EQ(most(broadcast, Algorithm::hierarchical, nodes), whole * 7 / 4);
  EXPECT_EQ(most(reduce, Algorithm::hierarchical, nodes), whole);
  EXPECT_EQ(most(all_reduce, Algorithm::nvls, node), whole * 9 / 8);
  EXPECT_EQ(most(all_reduce, Algorithm::nvls, nodes), whole + 3 * whole / 4);  // up, twice over the rail, and for all
  EXPECT_EQ(most(all_gather, Algorithm::nvls, node), whole / 8);
  EXPECT_EQ(most(reduce_scatter, Algorithm::nvls, node), whole);
  EXPECT_EQ(most(all_reduce, Algorithm::in_network, eight), whole);
  EXPECT_EQ(most(all_gather, Algorithm::in_network, eight), whole / 8);
}

TEST(Lower, a_tree_of_thousands_of_ranks_and_hundreds_of_chunks_stays_small) {
  const Schedule schedule = lowered(all_reduce, Algorithm::tree, {.positions = 4096}, 1_GiB, 512);
  EXPECT_LT(memory(schedule), 1'000'000U);
  EXPECT_EQ(schedule.messages(), 4ULL * 4095 * 512);
  EXPECT_EQ(schedule.repeats(), 512U + 2 * 12 - 1);
  EXPECT_LT(memory(lowered(broadcast, Algorithm::ring, {.positions = 16'384}, 1_GiB, 512)), 1'000'000U);
}

TEST(Lower, in_the_two_trees_nobody_has_more_than_two_children_and_almost_nobody_has_them_in_both) {
  for (std::uint32_t n = 2; n <= 200; n++) {
    const Schedule schedule = lowered(all_reduce, Algorithm::tree, {.positions = n}, 1_MiB, 1);
    std::vector<std::uint32_t> children[2] = {std::vector<std::uint32_t>(n), std::vector<std::uint32_t>(n)};
    for (const Transfer& t : schedule.rounds[0].transfers)
      if (t.reduce) children[t.chunk][t.to.index()]++;
    for (std::uint32_t p = 0; p < n; p++) {
      EXPECT_LE(children[0][p] + children[1][p], 2U) << p << " of " << n;
      const bool odd_one = n % 2 == 1 && p == 0;
      if (!odd_one) {
        EXPECT_TRUE(children[0][p] == 0 || children[1][p] == 0) << p << " of " << n;
      }
    }
  }
}

TEST(Lower, pxn_keeps_to_its_rail_outside_the_domain_and_sends_one_message_per_node) {
  const Schedule schedule = lowered(all_to_all, Algorithm::pxn, {.positions = 24, .per_domain = 4}, 24_KiB);
  for (const EdgeLoad& load : edge_loads(schedule)) {
    const bool inside = load.from.index() / 4 == load.to.index() / 4;
    if (!inside) {
      EXPECT_EQ(load.from.index() % 4, load.to.index() % 4);
    }
    EXPECT_EQ(load.messages, 1U);
    EXPECT_EQ(load.bytes, inside ? 6_KiB : 4_KiB);
  }
}

TEST(Lower, ranks_and_switches_exchange_with_their_parent_alone) {
  const Schedule schedule = lowered(all_reduce, Algorithm::nvls, {.positions = 24, .per_domain = 8}, 24_KiB);
  EXPECT_EQ(schedule.switches, 3U);
  for (const EdgeLoad& load : edge_loads(schedule)) {
    if (schedule.is_switch(load.from)) {
      EXPECT_EQ(schedule.parent[load.to], load.from);
    }
    if (schedule.is_switch(load.to)) {
      EXPECT_EQ(schedule.parent[load.from], load.to);
    }
  }
}

TEST(EdgeLoads, of_a_huge_ring_take_no_time_per_repeat) {
  const std::uint32_t n = 200'000;  // 80 billion messages
  const auto loads = edge_loads(lowered(all_reduce, Algorithm::ring, {.positions = n}, 1_GiB));
  ASSERT_EQ(loads.size(), n);
  Bytes sent;
  for (const EdgeLoad& load : loads) {
    sent += load.bytes;
    EXPECT_EQ(load.messages, 2ULL * (n - 1));
  }
  EXPECT_EQ(sent, 1_GiB * (2 * (std::int64_t{n} - 1)));
}

}  // namespace
}  // namespace railyard
