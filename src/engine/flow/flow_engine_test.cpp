#include <gtest/gtest.h>

#include <map>

#include "engine/engine.h"
#include "engine/flow/testing.h"
#include "engine/testing.h"
#include "fabric/build.h"
#include "fabric/routes.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

using namespace flow_testing;

TEST(FlowEngine, one_message_takes_what_the_analytic_engine_says) {
  for (const Switching switching : {Switching::store_and_forward, Switching::cut_through})
    for (const BitsPerSecond rate : {100_Gbps, 399_Gbps, 800_Gbps})
      for (const Bytes size : {Bytes(0), Bytes(1), Bytes(64), Bytes(4096), Bytes(4097), Bytes(12'345'678), 4_GiB}) {
        Scenario scenario = testing::star(4, rate, 500_ns, 300_ns);
        scenario.fabric.host_latency = 1100_ns;
        scenario.fabric.switching = switching;
        FlowBench flow(scenario, {}, testing::kRoceWire);
        flow.post(0, flow.open(2, 1), size);
        Telemetry telemetry(flow.fabric.trunk_tier.size());
        const auto analytic =
            make_analytic_engine(flow.fabric, testing::kRoceWire, path_policy_of(scenario.routing), telemetry);
        const Message message{MessageId(0), analytic->open({EndpointId(2), EndpointId(1)}), size};
        analytic->post({&message, 1}, 0_ns);
        std::vector<Completion> done;
        expect_near(flow.times().at(0), analytic->advance(Picoseconds::max(), done));
      }
}

TEST(FlowEngine, a_small_message_is_stored_at_every_switch_with_its_own_size) {
  FlowBench b(testing::leaf_spine(4, 2, 1, kRate, 500_ns, 300_ns));
  b.post(0, b.open(0, 3), 1000_B);
  // Two uplinks make the trunk twice as fast as one of them, which every packet takes.
  expect_near(b.times().at(0), transmit_time(1000_B, kRate) * 4 + 500_ns * 4 + 300_ns * 3, 4);
}

TEST(FlowEngine, flows_of_unequal_size_leave_a_shared_link_like_processor_sharing) {
  for (const std::uint32_t n : {2U, 8U, 16U, 63U}) {
    FlowBench b(testing::star(n + 1, kRate, 0_ns));
    for (std::uint32_t i = 0; i < n; i++) b.post(i, b.open(i + 1, 0), kSize * (i + 1));
    const auto at = b.times();
    // Up to when flow i is through, i + 1 of its units and as many of every larger one, and all of the smaller ones.
    for (std::uint32_t i = 0; i < n; i++) {
      const double units = (i + 1.0) * (n - i) + i * (i + 1.0) / 2;
      expect_near(at.at(i), after(units), n + 1);
    }
  }
}

TEST(FlowEngine, an_incast_shares_the_last_link_evenly) {
  for (const std::uint32_t n : {8U, 16U}) {
    FlowBench b(testing::star(n + 1, kRate, 0_ns));
    for (std::uint32_t i = 0; i < n; i++) b.post(i, b.open(i + 1, 0), kSize);
    for (const auto& [id, at] : b.times()) expect_near(at, after(n));
  }
}

TEST(FlowEngine, a_parking_lot_gives_the_short_flow_what_the_long_one_leaves) {
  FlowBench b(testing::star(6, kRate, 0_ns));
  b.post(0, b.open(0, 1), kSize);  // shares its sender with 1 and its receiver with 2 and 3
  b.post(1, b.open(0, 2), kSize);
  b.post(2, b.open(3, 1), kSize);
  b.post(3, b.open(4, 1), kSize);
  const auto at = b.times();
  expect_near(at.at(1), after(1.5));
  for (const std::uint32_t id : {0U, 2U, 3U}) expect_near(at.at(id), after(3), 2);
}

TEST(FlowEngine, what_one_flow_leaves_is_given_to_the_others_when_it_ends) {
  FlowBench b(testing::star(4, kRate, 0_ns));
  b.post(0, b.open(0, 1), kSize);
  b.post(1, b.open(0, 2), kSize * 2);
  b.post(2, b.open(3, 2), kSize * 4);  // 1/2 until 0 ends at 2; 1 and 2 go on with 1/2; alone from 4 on
  const auto at = b.times();
  expect_near(at.at(0), after(2));
  expect_near(at.at(1), after(4), 2);
  expect_near(at.at(2), after(6), 3);
}

TEST(FlowEngine, two_to_one_oversubscription_halves_what_all_senders_get) {
  FlowBench b(testing::leaf_spine(16, 8, 2, kRate, 0_ns));
  for (std::uint32_t i = 0; i < 8; i++) b.post(i, b.open(i, i + 8), kSize);
  for (const auto& [id, at] : b.times()) expect_near(at, after(2) + kStored * 2);
  FlowBench inside(testing::leaf_spine(16, 8, 2, kRate, 0_ns));
  for (std::uint32_t i = 0; i < 8; i++) inside.post(i, inside.open(i, (i + 1) % 8), kSize);
  for (const auto& [id, at] : inside.times()) expect_near(at, after(1));
}

TEST(FlowEngine, flows_that_ecmp_sends_over_one_uplink_share_it_and_others_do_not) {
  FlowBench b(hashed());
  std::map<PortId, double> flows;  // by uplink; every spine has one link down
  for (std::uint32_t i = 0; i < 8; i++) {
    flows[path_of(b, i, i + 8)[1]]++;
    b.post(i, b.open(i, i + 8), kSize);
  }
  ASSERT_LT(flows.size(), 8U) << "some collide";
  ASSERT_GT(flows.size(), 1U) << "and some do not";
  for (const auto& [id, at] : b.times()) expect_near(at, after(flows[path_of(b, id, id + 8)[1]]) - kStored);
}

TEST(FlowEngine, queue_pairs_split_a_message_into_equal_shares) {
  FlowBench b(hashed(4));
  std::map<PortId, double> share_of_port;
  for (std::uint32_t i = 0; i < 8; i++)
    for (std::uint32_t nth = 0; nth < 4; nth++) share_of_port[path_of(b, i, i + 8, nth)[1]] += 0.25;
  for (std::uint32_t i = 0; i < 8; i++) b.post(i, b.open(i, i + 8), kSize);
  b.times();
  b.engine->finish();
  for (const auto& [port, sum] : share_of_port)
    EXPECT_EQ(b.telemetry.port_carried[port].count(), static_cast<std::int64_t>(sum * static_cast<double>(kSize.count())));
}

TEST(FlowEngine, queue_pairs_in_turn_carry_whole_messages_side_by_side) {
  FlowBench b(hashed(2, QpUse::round_robin));
  const QpId qp = b.open(0, 8);
  ASSERT_NE(path_of(b, 0, 8, 0)[1], path_of(b, 0, 8, 1)[1]) << "two ways, one sender";
  for (std::uint32_t i = 0; i < 3; i++) b.post(i, qp, kSize);
  const auto at = b.times();
  expect_near(at.at(0), after(2) - kStored);
  expect_near(at.at(1), after(2) - kStored);
  expect_near(at.at(2), after(3) - kStored, 2);
}

TEST(FlowEngine, messages_are_delivered_in_the_order_posted_whichever_queue_pair_carries_them) {
  FlowBench b(hashed(2, QpUse::round_robin));
  const QpId qp = b.open(0, 8);
  b.post(0, qp, kSize * 3);
  b.post(1, qp, kSize);
  const auto at = b.times();
  expect_near(at.at(0), after(4) - kStored, 2);
  EXPECT_EQ(at.at(1), at.at(0));
}

TEST(FlowEngine, messages_of_one_connection_are_sent_one_after_the_other) {
  FlowBench b(testing::star(2, kRate, 500_ns));
  const QpId qp = b.open(0, 1);
  b.post(0, qp, kSize);
  b.post(1, qp, 1_B);
  b.post(2, qp, kSize);
  const auto at = b.times();
  expect_near(at.at(0), after(1) + 1000_ns);
  EXPECT_EQ(at.at(1), at.at(0));  // sent after it, with a shorter path through the switch
  expect_near(at.at(2), after(2) + transmit_time(1_B, kRate) + 1000_ns, 3);
}

TEST(FlowEngine, no_flow_exceeds_its_cap) {
  FlowBench b(testing::star(6, kRate, 0_ns), {.cap = 20_Gbps});
  for (std::uint32_t i = 0; i < 5; i++) b.post(i, b.open(i + 1, 0), kSize);
  b.post(5, b.open(0, 1), kSize);
  for (const auto& [id, at] : b.times()) expect_near(at, after(5));
}

TEST(FlowEngine, congestion_control_leaves_a_share_of_every_port_unused) {
  for (const bool spray : {true, false}) {
    Scenario scenario = testing::servers(Topology::star, 4, 2, 4, kRate);
    scenario.fabric.link_rate = kRate;
    scenario.fabric.link_delay = scenario.fabric.switch_latency = scenario.fabric.scale_up.latency = 0_ns;
    if (!spray) scenario.routing.policy = RoutingPolicy::ecmp;
    FlowBench b(scenario, {.efficiency = 0.8});
    b.post(0, b.open(0, 2), kSize);
    b.post(1, b.open(3, 2), kSize);  // neighbours by scale-up
    const auto at = b.times();
    expect_near(at.at(0), after(1.25));
    expect_near(at.at(1), after(1));
  }
}

TEST(FlowEngine, merging_says_how_far_it_moved_what_ended_before_rates_were_found_again) {
  // Two that end shortly after each other; and many that start between the two.
  for (const std::uint32_t late : {0U, 50U}) {
    std::map<std::uint32_t, Picoseconds> at[2];
    Picoseconds error;
    for (const bool exact : {true, false}) {
      FlowBench b(testing::star(53, kRate, 0_ns), {.exact = exact, .quantum = 10_us});
      b.post(0, b.open(1, 0), kSize);
      b.post(1, b.open(2, 0), kSize + 10'000_B);
      for (std::uint32_t i = 0; i < late; i++) b.post(2 + i, b.open(3 + i, 0), kSize, 3995_us);
      at[exact ? 0 : 1] = b.times();
      error = b.telemetry.solving.error;
    }
    for (const auto& [id, exactly] : at[0]) EXPECT_LE(std::abs((at[1].at(id) - exactly).count()), error.count() + 1) << id;
    EXPECT_EQ(at[0] == at[1], late > 0) << "what starts never waits, and finds everybody's rates";
    EXPECT_LT(error, transmit_time(kSize, kRate)) << "and says no more than that";
  }
}

TEST(FlowEngine, what_has_ended_holds_its_links_no_longer_than_somebody_ends_after_it) {
  std::map<std::uint32_t, Picoseconds> at[2];
  for (const bool exact : {true, false}) {
    FlowBench b(testing::star(4, kRate, 0_ns), {.exact = exact, .quantum = 10_us});
    b.post(0, b.open(1, 0), kSize);
    b.post(1, b.open(2, 0), kSize + 5_B);  // 1.2 ns later, at a third of a link
    b.post(2, b.open(3, 0), kSize * 2);
    at[exact ? 0 : 1] = b.times();
  }
  EXPECT_LE(std::abs((at[1].at(2) - at[0].at(2)).count()), 2'000);
}

TEST(FlowEngine, the_links_of_a_trunk_are_used_alike_by_what_crosses_only_it) {
  for (const RoutingPolicy policy : {RoutingPolicy::spray, RoutingPolicy::ecmp}) {
    Scenario scenario = hashed();
    scenario.routing.policy = policy;
    FlowBench b(scenario);
    b.post(0, b.engine->open(b.fabric.blocks[b.fabric.leaf_of(EndpointId(0))].up), kSize * 8);
    const Picoseconds packet = kStored - transmit_time(4096_B, kRate * 8);  // on one link, and on all of them
    expect_near(b.times().at(0),
                kReducerLatency + transmit_time(kSize, kRate) + (policy == RoutingPolicy::spray ? packet : 0_ns), 2);
  }
}

TEST(FlowEngine, a_message_may_be_posted_for_later) {
  FlowBench b(testing::star(3, kRate, 0_ns));
  b.post(0, b.open(1, 0), kSize);
  b.post(1, b.open(2, 0), kSize, 1000_us);  // at half time
  const auto at = b.times();
  expect_near(at.at(0), after(1.5), 2);
  expect_near(at.at(1), after(2), 3);
}

TEST(FlowEngine, rewound_it_does_the_same_again) {
  for (const bool exact : {true, false}) {
    FlowBench b(hashed(2), {.exact = exact, .quantum = 100_us});
    std::vector<QpId> qps;
    for (std::uint32_t i = 0; i < 8; i++) qps.push_back(b.open(i, i < 4 ? 8 : i + 8));
    const auto run = [&] {
      b.telemetry.fingerprint = {};
      b.engine->set_rate(path_of(b, 0, 8)[1], 0_bps, 200_us);
      for (std::uint32_t i = 0; i < 8; i++) b.post(i, qps[i], kSize * (i + 1) / 7, 100_us * i);
      return std::pair(b.times(), b.telemetry.fingerprint.text());
    };
    const auto first = run();
    EXPECT_EQ(first.first.size(), 8U);
    b.engine->rewind(Sharing::fair);
    EXPECT_EQ(run(), first);
  }
}

TEST(FlowEngine, a_flap_leads_back_to_the_paths_there_were) {
  constexpr Bytes kShort = kSize / 100;
  /// When messages to the far leaf, posted at `at`, arrive after that; the port fails at each of `from` and comes back at `to`.
  const auto later = [&](const std::vector<std::pair<Picoseconds, Picoseconds>>& fails, Picoseconds at) {
    FlowBench b(hashed(2));
    std::vector<QpId> qps;
    for (std::uint32_t i = 0; i < 8; i++) qps.push_back(b.open(i, i + 8));
    const PortId port = path_of(b, 0, 8)[1];
    for (const auto& [from, to] : fails) {
      b.engine->set_rate(port, 0_bps, from);
      if (to != Picoseconds::max()) b.engine->set_rate(port, kRate, to);
    }
    b.post(8, qps[0], kShort);  // so that the first failure meets traffic
    for (std::uint32_t i = 0; i < 8; i++) b.post(i, qps[i], kShort, at);
    std::map<std::uint32_t, Picoseconds> times = b.times();
    times.erase(8);
    for (auto& [id, time] : times) time -= at;
    return times;
  };
  const std::vector<std::pair<Picoseconds, Picoseconds>> flap = {{1000_us, 2000_us}, {3000_us, 4000_us}, {5000_us, 6000_us}};
  const auto whole = later({}, 1000_us), down = later({{1_us, Picoseconds::max()}}, 1000_us);
  EXPECT_NE(whole, down);
  for (const Picoseconds at : {2100_us, 4100_us, 6100_us}) EXPECT_EQ(later(flap, at), whole);
  for (const Picoseconds at : {1100_us, 3100_us, 5100_us}) EXPECT_EQ(later(flap, at), down);
}

TEST(FlowEngine, without_sharing_every_message_has_the_network_to_itself) {
  FlowBench b(testing::leaf_spine(16, 8, 2, kRate, 500_ns));
  std::vector<QpId> qps;
  for (std::uint32_t i = 0; i < 8; i++) qps.push_back(b.open(i, 8));
  b.engine->set_rate(b.down(8), 0_bps, 0_ns);  // forgotten
  std::vector<Completion> none;
  b.engine->advance(1_us, none);
  b.engine->rewind(Sharing::none);
  for (std::uint32_t i = 0; i < 8; i++) b.post(i, qps[i], kSize);
  for (const auto& [id, at] : b.times()) expect_near(at, after(1) + kStored * 2 + 2000_ns);
}

TEST(FlowEngine, advance_stops_at_until_when_nothing_completes_before) {
  FlowBench b(testing::star(2, kRate, 1000_ns));
  b.post(0, b.open(0, 1), 1_MiB);
  std::vector<Completion> done;
  EXPECT_EQ(b.engine->advance(5_us, done), 5_us);
  EXPECT_EQ(b.engine->now(), 5_us);
  EXPECT_TRUE(done.empty());
}

TEST(FlowEngineDeathTest, work_cannot_be_posted_in_the_past) {
  FlowBench b(testing::star(2, kRate, 1000_ns));
  const QpId qp = b.open(0, 1);
  std::vector<Completion> done;
  b.engine->advance(5_us, done);
  EXPECT_DEATH(b.post(0, qp, 1_MiB, 1_us), "posted in the order of time");
}

}  // namespace
}  // namespace railyard
