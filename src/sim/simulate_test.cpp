#include "sim/simulate.h"

#include <gtest/gtest.h>

#include "collective/limits.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

using testing::leaf_spine;
using testing::star;

Run run(Scenario scenario, Bytes size, unsigned threads = 1) {
  scenario.workload.collective->sizes = {size};
  Progress progress;
  Result<Run> result = simulate(scenario, {.threads = threads}, progress);
  EXPECT_TRUE(result) << (result ? "" : to_text(result.error()[0]));
  return std::move(*result);
}

/// docs/models.md, ring all-reduce on a star: 2 (n-1) rounds of one chunk's wire time plus the path.
Picoseconds ring_on_star(std::uint32_t n, Bytes size, BitsPerSecond rate, Picoseconds link, Picoseconds inside) {
  const WireFormat wire{.mtu = 4096_B, .header = kRoceHeader, .message_header = kRoceMessageHeader};
  const Bytes chunk((size.count() + n - 1) / n);
  const Picoseconds round =
      transmit_time(wire.wire_size(chunk), rate) + transmit_time(wire.packet_size(chunk), rate) + link * 2 + inside;
  return round * (2 * (std::int64_t{n} - 1));
}

TEST(Simulate, ring_all_reduce_on_a_star_matches_its_closed_form_to_the_picosecond) {
  for (const std::uint32_t n : {2U, 3U, 8U, 31U, 64U})
    for (const Bytes size : {Bytes(1), Bytes(1000), 1_MiB, Bytes(123'456'789), 1_GiB})
      for (const BitsPerSecond rate : {100_Gbps, 399_Gbps, 400_Gbps, 800_Gbps})
        EXPECT_EQ(run(star(n, rate, 500_ns, 700_ns), size).collectives[0].time, ring_on_star(n, size, rate, 500_ns, 700_ns))
            << n << " ranks, " << size.count() << " bytes";
}

TEST(Simulate, on_an_oversubscribed_leaf_spine_a_scattered_ring_takes_the_trunk_bound_plus_latency) {
  // Every hop leaves its leaf, so in each round h chunks share a trunk of h / s ports: s chunks' time, plus the path.
  const WireFormat wire{.mtu = 4096_B, .header = kRoceHeader, .message_header = kRoceMessageHeader};
  for (const std::uint32_t s : {1U, 2U, 4U, 8U}) {
    Scenario scenario = leaf_spine(32, 8, s, 400_Gbps, 500_ns, 700_ns);
    scenario.placement.policy = PlacementPolicy::round_robin;
    const Bytes size = 64_MiB, chunk = size / 32;
    const Picoseconds latency = (500_ns + 700_ns) * 3 + 500_ns + transmit_time(wire.packet_size(chunk), 400_Gbps) * 3;
    const Picoseconds bandwidth = transmit_time(wire.wire_size(chunk) * s, 400_Gbps);
    EXPECT_EQ(run(scenario, size).collectives[0].time, (bandwidth + latency) * 62) << s;
  }
}

TEST(Simulate, in_order_the_ring_does_not_notice_oversubscription_until_one_link_is_too_slow) {
  // One chunk at a time leaves each leaf: a trunk as fast as a host link is enough.
  Scenario scenario = leaf_spine(32, 8, 1, 400_Gbps, 500_ns);
  const Picoseconds full = run(scenario, 64_MiB).collectives[0].time;
  scenario.fabric.oversubscription = 8;
  EXPECT_EQ(run(scenario, 64_MiB).collectives[0].time, full);

  // A trunk of half a host link: each chunk needs twice its time there and nowhere else, and a chunk is never on two trunks at
  // once, so the slow hop sets the pace: its bandwidth bound, plus the latency of the hops a chunk makes (docs/models.md).
  const WireFormat wire{.mtu = 4096_B, .header = kRoceHeader, .message_header = kRoceMessageHeader};
  scenario.fabric.oversubscription = 16;
  scenario.fabric.uplink_rate = 200_Gbps;
  const Picoseconds slow = run(scenario, 64_MiB).collectives[0].time;
  const Picoseconds bound = transmit_time(wire.wire_size(2_MiB), 200_Gbps) * 62;
  EXPECT_GE(slow, bound);
  EXPECT_LE(seconds(slow), 1.02 * seconds(bound));
}

TEST(Simulate, unequal_chunks_wait_for_the_longest) {
  const Picoseconds even = run(star(8, 400_Gbps, 500_ns), Bytes(8 * 4096)).collectives[0].time;
  EXPECT_EQ(run(star(8, 400_Gbps, 500_ns), Bytes(8 * 4096 - 7)).collectives[0].time, even);
  EXPECT_GT(run(star(8, 400_Gbps, 500_ns), Bytes(8 * 4096 + 1)).collectives[0].time, even);
}

TEST(Simulate, a_few_bytes_more_on_a_contended_fabric_cost_a_little_and_never_gain) {
  Scenario scenario = leaf_spine(32, 8, 2, 400_Gbps, 500_ns, 700_ns);
  scenario.placement.policy = PlacementPolicy::round_robin;
  Picoseconds before = run(scenario, 64_MiB).collectives[0].time;
  for (const std::int64_t more : {1, 16, 31, 1000, 2048, 4096}) {
    const Picoseconds time = run(scenario, 64_MiB + Bytes(more)).collectives[0].time;
    EXPECT_GE(time, before) << more;
    EXPECT_LE(seconds(time), seconds(before) * 1.001) << more;
    before = time;
  }
}

TEST(Simulate, every_byte_arrives_and_no_result_beats_its_bound) {
  Scenario scenario = leaf_spine(32, 8, 2, 400_Gbps, 500_ns);
  scenario.placement.policy = PlacementPolicy::random;
  const auto r = run(scenario, Bytes(1'000'003));
  EXPECT_EQ(r.collectives[0].telemetry.payload, least_bytes_sent(CollectiveKind::all_reduce, 32, Bytes(1'000'003)));
  EXPECT_GE(r.collectives[0].time, r.collectives[0].bound);
}

TEST(Simulate, the_bound_is_the_slower_of_host_links_and_leaf_cuts_plus_the_shortest_path) {
  EXPECT_EQ(run(star(8, 400_Gbps, 500_ns), 8_MiB).collectives[0].bound, transmit_time(14_MiB, 400_Gbps) + 1000_ns);
  Scenario scenario = leaf_spine(32, 8, 8, 400_Gbps, 500_ns);
  scenario.fabric.uplink_rate = 100_Gbps;
  scenario.fabric.oversubscription = 32;
  const auto r = run(scenario, 8_MiB);
  EXPECT_EQ(r.collectives[0].bound, transmit_time(8_MiB, 100_Gbps) + 1000_ns);
  EXPECT_EQ(r.fabric.trunk_tier[r.collectives[0].bound_at], Tier::leaf_up);
}

TEST(Simulate, the_same_input_gives_the_same_fingerprint_on_any_number_of_threads) {
  Scenario scenario = leaf_spine(32, 8, 2, 400_Gbps, 500_ns);
  scenario.placement.policy = PlacementPolicy::random;
  scenario.workload.collective->sizes = {1_KiB, 1_MiB, 3_MiB, 5_MiB};
  std::vector<std::string> fingerprints;
  for (const unsigned threads : {1U, 2U, 4U, 1U}) {
    Progress progress;
    fingerprints.push_back(simulate(scenario, {.threads = threads}, progress)->fingerprint);
    EXPECT_EQ(progress.done(), progress.total());
  }
  for (const std::string& fingerprint : fingerprints) EXPECT_EQ(fingerprint, fingerprints[0]);
}

TEST(Simulate, another_seed_is_another_placement_and_another_fingerprint) {
  Scenario scenario = leaf_spine(32, 8, 2, 400_Gbps, 500_ns);
  scenario.placement.policy = PlacementPolicy::random;
  const std::string one = run(scenario, 1_MiB).fingerprint;
  scenario = testing::seeded(scenario, 2);
  EXPECT_NE(run(scenario, 1_MiB).fingerprint, one);
}

TEST(Simulate, a_group_may_be_smaller_than_the_cluster) {
  Scenario scenario = star(64, 400_Gbps, 500_ns, 700_ns);
  scenario.workload.collective->group = 8;
  EXPECT_EQ(run(scenario, 8_MiB).collectives[0].time, ring_on_star(8, 8_MiB, 400_Gbps, 500_ns, 700_ns));
}

TEST(Simulate, every_message_of_a_collective_is_told_to_who_asked) {
  for (const Fidelity fidelity : {Fidelity::flow, Fidelity::packet}) {
    Scenario scenario = star(8, 400_Gbps, 500_ns, 700_ns);
    scenario.engine.fidelity = fidelity;
    scenario.fabric.host_latency = 1_us;
    scenario.workload.collective->sizes = {1_MiB, 2_MiB};
    std::vector<FlowRecord> flows;
    Progress progress;
    const auto keep = [&](const FlowRecord& flow) { flows.push_back(flow); };
    const auto done = simulate(scenario, {.threads = 2, .on_flow = keep}, progress);
    ASSERT_TRUE(done) << (done ? "" : to_text(done.error()[0]));
    ASSERT_EQ(flows.size(), 2U * 112U);
    for (std::size_t i = 0; i < flows.size(); i++) {
      EXPECT_EQ(flows[i].collective, i < 112 ? 1_MiB : 2_MiB);
      EXPECT_EQ(flows[i].size, flows[i].collective / 8);
      EXPECT_LT(flows[i].start, flows[i].finish);
      EXPECT_EQ(flows[i].to.index(), (flows[i].from.index() + 1) % 8);
    }
  }
}

}  // namespace
}  // namespace railyard
