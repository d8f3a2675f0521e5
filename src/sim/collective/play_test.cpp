// Collectives on a star without bottlenecks take what the closed forms of docs/models.md (collective algorithms) say.
#include "sim/collective/play.h"

#include <gtest/gtest.h>

#include "collective/lower.h"
#include "engine/testing.h"
#include "fabric/build.h"
#include "fabric/testing.h"
#include "sim/collective/early_arrivals.h"

namespace railyard {
namespace {

using enum CollectiveKind;
using Algorithm = CollectiveAlgorithm;

constexpr BitsPerSecond kRate = 400_Gbps;
constexpr Picoseconds kLink = 500_ns, kSwitch = 700_ns, kHost = 1100_ns;

Scenario with_host_latency(Scenario scenario) {
  scenario.fabric.host_latency = kHost;
  return scenario;
}

/// Ranks on the endpoints in order; each hangs on the switch next to it, and leaves on the spines.
Picoseconds played(const Schedule& schedule, const Scenario& scenario) {
  const Fabric fabric = *testing::build_fabric(scenario);
  std::vector<EndpointId> ranks;
  std::vector<TrunkId> up, down;
  for (std::uint32_t p = 0; p < schedule.positions; p++) {
    ranks.emplace_back(p);
    up.push_back(host_up_trunk(fabric, InterfaceId(p)));
    down.push_back(host_down_trunk(fabric, InterfaceId(p)));
  }
  for (std::uint32_t s = 0; s < schedule.switches; s++) {
    const bool leaf = schedule.parent[PositionId(schedule.positions + s)].valid();
    const BlockId block = leaf ? fabric.leaf_of(EndpointId(s * schedule.positions / (schedule.switches - 1))) : BlockId();
    up.push_back(leaf ? fabric.blocks[block].up : TrunkId());
    down.push_back(leaf ? fabric.blocks[block].down : TrunkId());
  }
  Telemetry telemetry(fabric.trunk_tier.size());
  const auto engine = make_analytic_engine(fabric, testing::kRoceWire, {}, telemetry);
  Progress progress;
  const Picoseconds time = play(schedule, {.ranks = ranks, .up = up, .down = down}, *engine, progress);
  EXPECT_EQ(telemetry.messages, schedule.messages());
  Bytes sent;
  for (const EdgeLoad& load : edge_loads(schedule)) sent += load.bytes;
  EXPECT_EQ(telemetry.payload, sent);
  return time;
}

Picoseconds on_star(CollectiveKind kind, Algorithm algorithm, const Shape& shape, Bytes size, std::uint32_t pipeline = 1) {
  const auto schedule = lower(kind, algorithm, shape, size, {.pipeline = pipeline});
  return played(*schedule, with_host_latency(testing::star(shape.positions, kRate, kLink, kSwitch)));
}

/// α + k β m: `count` messages of `size` leave a host, and reach one, at the same time.
Picoseconds step(Bytes size, std::int64_t count = 1) {
  return transmit_time(testing::kRoceWire.wire_size(size) * count, kRate) +
         transmit_time(testing::kRoceWire.packet_size(size), kRate) + kLink * 2 + kSwitch + kHost * 2;
}
/// The same between a host and its switch.
Picoseconds step_up(Bytes size) { return transmit_time(testing::kRoceWire.wire_size(size), kRate) + kLink + kSwitch + kHost; }
Picoseconds step_down(Bytes size) {
  return kReducerLatency + transmit_time(testing::kRoceWire.wire_size(size), kRate) + kLink + kHost;
}

ReductionTree one_switch(std::uint32_t positions) {
  ReductionTree tree{1, Table<PositionId, PositionId>(positions, PositionId(positions))};
  tree.parent.push(PositionId());
  return tree;
}

constexpr std::uint32_t log2_of(std::uint32_t n) { return n < 2 ? 0 : 1 + log2_of(n / 2); }

TEST(Play, rings_take_a_step_per_round) {
  for (const std::uint32_t n : {2U, 3U, 8U, 30U}) {
    const Bytes size = Bytes(30 * 8 * 12'345), chunk = size / n;
    EXPECT_EQ(on_star(all_reduce, Algorithm::ring, {n}, size), step(chunk) * (2 * (std::int64_t{n} - 1)));
    EXPECT_EQ(on_star(all_gather, Algorithm::ring, {n}, size), step(chunk) * (std::int64_t{n} - 1));
    EXPECT_EQ(on_star(reduce_scatter, Algorithm::ring, {n}, size), step(chunk) * (std::int64_t{n} - 1));
    EXPECT_EQ(on_star(send, Algorithm::ring, {n}, size), step(size));
  }
}

TEST(Play, chains_fill_and_then_deliver_a_piece_per_step) {
  for (const std::uint32_t n : {2U, 3U, 8U, 30U})
    for (const std::uint32_t pieces : {1U, 2U, 5U, 64U})
      for (const CollectiveKind kind : {broadcast, reduce}) {
        const Bytes piece(100'000);
        EXPECT_EQ(on_star(kind, Algorithm::ring, {n}, piece * pieces, pieces), step(piece) * (std::int64_t{n} - 2 + pieces));
      }
}

/// β m.
Picoseconds bytes(Bytes size, std::int64_t count) { return transmit_time(testing::kRoceWire.wire_size(size) * count, kRate); }

TEST(Play, a_tree_of_two_takes_alpha_twice_and_the_bytes_once) {
  for (const std::int64_t pieces : {1, 2, 8}) {  // pieces go up, behind each other; all have left when the first comes back
    const Bytes piece(1000);
    ASSERT_GT(step(piece), bytes(piece, pieces));
    EXPECT_EQ(on_star(all_reduce, Algorithm::tree, {2}, piece * (2 * pieces), static_cast<std::uint32_t>(pieces)),
              step(piece) * 2 + bytes(piece, pieces - 1));
  }
  for (const std::int64_t pieces : {16, 100}) {  // there is always one to send
    const Bytes piece = 1_MiB;
    const Picoseconds time =
        on_star(all_reduce, Algorithm::tree, {2}, piece * (2 * pieces), static_cast<std::uint32_t>(pieces));
    EXPECT_GE(time, step(piece, 2 * pieces));
    EXPECT_LE(time, step(piece, 2 * pieces) + step(piece));
  }
}

TEST(Play, trees_take_alpha_per_level_and_at_most_four_pieces_a_step) {
  for (const std::uint32_t n : {3U, 4U, 7U, 8U, 32U, 33U, 100U})
    for (const std::uint32_t pieces : {1U, 3U, 20U, 200U}) {
      const std::int64_t levels = log2_of(n - 1) + 1, windows = (pieces - 1) / 8;
      for (const Bytes piece : {1_B, 4096_B, 1_MiB}) {
        const Picoseconds time = on_star(all_reduce, Algorithm::tree, {n}, piece * (2 * pieces), pieces);
        EXPECT_LE(time, step(piece, 4) * (2 * levels + windows) + bytes(piece, 4 * (pieces - 1)))
            << n << " ranks, " << pieces << " pieces";
        EXPECT_GE(time, step(piece) * (2 * levels)) << n << " ranks, " << pieces << " pieces";
        EXPECT_GE(time, step(piece, 2 * pieces)) << n << " ranks, " << pieces << " pieces";
        const std::int64_t below = n == 2 ? 0 : log2_of(n - 2) + 1;  // levels of the trees without the root
        for (const CollectiveKind kind : {broadcast, reduce}) {
          const Picoseconds rooted = on_star(kind, Algorithm::tree, {n}, piece * (2 * pieces), pieces);
          EXPECT_LE(rooted, step(piece, 2) * (below + 1 + windows) + bytes(piece, 2 * (pieces - 1)))
              << n << " ranks, " << pieces << " pieces";
          EXPECT_GE(rooted, step(piece) * (below + 1)) << n << " ranks, " << pieces << " pieces";
        }
      }
    }
}

TEST(Play, halving_and_doubling_takes_two_log_n_steps_of_halves_and_quarters) {
  for (const std::uint32_t n : {2U, 4U, 16U, 64U}) {
    const Bytes size = Bytes(64 * 5000);
    Picoseconds one_way;
    for (std::uint32_t part = 2; part <= n; part *= 2) one_way += step(size / part);
    EXPECT_EQ(on_star(all_reduce, Algorithm::halving_doubling, {n}, size), one_way * 2);
    EXPECT_EQ(on_star(all_gather, Algorithm::halving_doubling, {n}, size), one_way);
    EXPECT_EQ(on_star(reduce_scatter, Algorithm::halving_doubling, {n}, size), one_way);
  }
}

TEST(Play, halving_and_doubling_of_other_numbers_sends_the_buffer_once_before_and_once_after) {
  const Bytes size = Bytes(64 * 5000);
  // Ranks without a partner start at once, so that their first half meets the buffer of another rank's partner.
  const Picoseconds form = (step(size) + step(size / 2) + step(size / 4)) * 2;
  EXPECT_GE(on_star(all_reduce, Algorithm::halving_doubling, {6}, size), form);
  EXPECT_LE(on_star(all_reduce, Algorithm::halving_doubling, {6}, size), form + step(size / 2));
}

TEST(Play, direct_exchanges_share_the_host_link) {
  for (const std::uint32_t n : {2U, 5U, 32U}) {
    const Bytes chunk(70'000);
    EXPECT_EQ(on_star(all_to_all, Algorithm::direct, {n}, chunk * n), step(chunk, n - 1));
    EXPECT_EQ(on_star(all_gather, Algorithm::direct, {n}, chunk * n), step(chunk, n - 1));
    EXPECT_EQ(on_star(all_reduce, Algorithm::direct, {n}, chunk * n), step(chunk, n - 1) * 2);
  }
}

TEST(Play, hierarchical_collectives_add_their_levels_up) {
  const std::uint32_t domains = 6, rails = 4;
  const Shape shape{.positions = domains * rails, .per_domain = rails};
  const Bytes chunk(9'000), size = chunk * shape.positions;
  const Picoseconds inside = step(chunk * domains, rails - 1), between = step(chunk) * (domains - 1);
  EXPECT_EQ(on_star(all_reduce, Algorithm::hierarchical, shape, size), (inside + between) * 2);
  EXPECT_EQ(on_star(all_gather, Algorithm::hierarchical, shape, size), inside + between);
  EXPECT_EQ(on_star(reduce_scatter, Algorithm::hierarchical, shape, size), inside + between);
  EXPECT_EQ(on_star(all_to_all, Algorithm::pxn, shape, size), inside + step(chunk * rails, domains - 1));
}

TEST(Play, switches_that_reduce_take_the_bytes_once_and_one_piece_more) {
  for (const std::uint32_t n : {2U, 7U, 32U})
    for (const std::uint32_t pieces : {1U, 2U, 50U}) {
      const Bytes piece(40'000);
      const Shape shape{.positions = n, .tree = one_switch(n)};
      for (const CollectiveKind kind : {all_reduce, broadcast, reduce})
        EXPECT_EQ(on_star(kind, Algorithm::in_network, shape, piece * pieces, pieces),
                  step_up(piece) * pieces + step_down(piece));
    }
}

TEST(Play, two_levels_of_switches_are_two_hops_in_each_direction) {
  const std::uint32_t n = 8, leaves = 4;
  ReductionTree tree{leaves + 1, Table<PositionId, PositionId>(n)};
  for (std::uint32_t p = 0; p < n; p++) tree.parent[PositionId(p)] = PositionId(n + p / 2);
  for (std::uint32_t leaf = 0; leaf < leaves; leaf++) tree.parent.push(PositionId(n + leaves));
  tree.parent.push(PositionId());
  const Bytes size = 1_MiB;
  const auto schedule = lower(all_reduce, Algorithm::in_network, {.positions = n, .tree = tree}, size, {.pipeline = 1});
  // A leaf has two uplinks, over which packets are spread; the last packet takes one of them.
  const Bytes packet = testing::kRoceWire.packet_size(size);
  const Picoseconds hop = kReducerLatency + transmit_time(testing::kRoceWire.wire_size(size), kRate * 2) + kLink + kSwitch +
                          transmit_time(packet, kRate) - transmit_time(packet, kRate * 2);
  EXPECT_EQ(played(*schedule, with_host_latency(testing::leaf_spine(n, 2, 1, kRate, kLink, kSwitch))),
            step_up(size) + hop * 2 + step_down(size));
}

TEST(Play, nvls_reads_a_sum_and_writes_it_for_all) {
  const Shape shape{.positions = 8, .per_domain = 8};
  const Bytes part(25'000), size = part * 8;
  EXPECT_EQ(on_star(all_reduce, Algorithm::nvls, shape, size),
            step_up(size) + step_down(part) + step_up(part) + step_down(size));
  EXPECT_EQ(on_star(reduce_scatter, Algorithm::nvls, shape, size), step_up(size) + step_down(part));
  EXPECT_EQ(on_star(all_gather, Algorithm::nvls, shape, size), step_up(part) + step_down(size));
  // Pipelined, all four run at once: up go the whole and the part of a piece.
  const std::uint32_t pieces = 10;
  const Picoseconds both = step_up(size) + transmit_time(testing::kRoceWire.wire_size(part), kRate);
  const Picoseconds time = on_star(all_reduce, Algorithm::nvls, shape, size * pieces, pieces);
  EXPECT_LE(time, both * (pieces + 3));
  EXPECT_GE(time, both * (pieces - 3));
}

TEST(Play, small_groups_of_every_kind_come_to_an_end) {
  for (const CollectiveKind kind : {all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, reduce, send})
    for (const Algorithm algorithm : algorithms_for(kind))
      for (const std::uint32_t n : {2U, 6U, 16U}) {
        const Shape shape{.positions = n, .per_domain = 2, .tree = one_switch(n)};
        const auto schedule = lower(kind, algorithm, shape, Bytes(100'003), {.pipeline = 3});
        ASSERT_TRUE(schedule);
        if (algorithm == Algorithm::nvls && n > 2) continue;  // one star has no switch per domain
        EXPECT_GT(played(*schedule, with_host_latency(testing::star(n, kRate, kLink, kSwitch))), kLink);
      }
}

TEST(EarlyArrivals, are_found_when_their_turn_comes_however_far_ahead_they_were) {
  EarlyArrivals early;
  EXPECT_EQ(early.pass(3), 0U);
  early.add(1), early.add(5), early.add(5);
  EXPECT_EQ(early.pass(1), 1U);
  early.add(1000), early.add(3);
  EXPECT_EQ(early.pass(3), 1U);
  EXPECT_EQ(early.pass(1), 2U);
  for (std::uint32_t round = 0; round < 100; round++) {  // all around the ring
    early.add(2);
    EXPECT_EQ(early.pass(2), 1U);
  }
  EXPECT_EQ(early.pass(796), 1U);  // the one that was 1,000 ahead
  EXPECT_EQ(early.pass(5000), 0U);
}

}  // namespace
}  // namespace railyard
