#include <gtest/gtest.h>

#include "engine/engine.h"
#include "engine/testing.h"
#include "fabric/build.h"
#include "fabric/routes.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

/// A fabric, an engine on it, and what it did.
struct AnalyticBench {
  Fabric fabric;
  Telemetry telemetry;
  std::unique_ptr<Engine> engine;

  explicit AnalyticBench(const Scenario& scenario, WireFormat wire = testing::kBareWire)
      : fabric(std::move(*testing::build_fabric(scenario))),
        telemetry(fabric.trunk_tier.size()),
        engine(make_analytic_engine(fabric, wire, path_policy_of(scenario.routing), telemetry)) {}

  QpId open(std::uint32_t from, std::uint32_t to) { return engine->open({EndpointId(from), EndpointId(to)}); }

  /// Completion times by message id, all posted at one instant.
  std::vector<Picoseconds> run(const std::vector<Message>& messages) {
    engine->post(messages, engine->now());
    std::vector<Picoseconds> at(messages.size());
    std::vector<Completion> done;
    while (done.size() < messages.size()) engine->advance(Picoseconds::max(), done);
    for (const Completion& c : done) at[c.id.index()] = c.at;
    return at;
  }
};

TEST(WireFormat, counts_headers_per_packet_and_per_message) {
  const WireFormat roce{.mtu = 4096_B, .header = kRoceHeader, .message_header = kRoceMessageHeader};
  EXPECT_EQ(roce.wire_size(4096_B), Bytes(4096 + 82 + 16));
  EXPECT_EQ(roce.wire_size(4097_B), Bytes(4097 + 2 * 82 + 16));
  EXPECT_EQ(roce.wire_size(0_B), Bytes(82 + 16));
  EXPECT_EQ(roce.packet_size(100_B), Bytes(100 + 82 + 16));
  EXPECT_EQ(roce.packet_size(1_MiB), Bytes(4096 + 82 + 16));
  // A long write at MTU 4096 gets 98.0 % of the wire.
  EXPECT_NEAR(static_cast<double>((1_GiB).count()) / static_cast<double>(roce.wire_size(1_GiB).count()), 0.980, 0.0005);
}

TEST(AnalyticEngine, one_message_takes_its_wire_time_plus_the_path) {
  AnalyticBench b(testing::star(2, 400_Gbps, 500_ns, 300_ns));
  const auto at = b.run({{MessageId(0), b.open(0, 1), 1_MiB}});
  // Two cables, one switch, and one packet stored in it.
  EXPECT_EQ(at[0], transmit_time(1_MiB, 400_Gbps) + transmit_time(4096_B, 400_Gbps) + 1000_ns + 300_ns);
}

/// Completion times by message id, of messages that are posted at different times.
std::vector<Picoseconds> run_all(AnalyticBench& b, const std::vector<std::pair<Picoseconds, Message>>& messages) {
  for (const auto& [at, message] : messages) b.engine->post({&message, 1}, at);
  std::vector<Picoseconds> at(messages.size());
  std::vector<Completion> done;
  while (done.size() < messages.size()) b.engine->advance(Picoseconds::max(), done);
  for (const Completion& c : done) at[c.id.index()] = c.at;
  return at;
}

TEST(AnalyticEngine, messages_of_a_connection_go_one_after_the_other_and_share_with_those_of_another) {
  AnalyticBench b(testing::star(3, 400_Gbps, 500_ns));
  const QpId busy = b.open(0, 1), late = b.open(0, 2);
  const auto at = run_all(b, {{0_ns, {MessageId(0), busy, 1_MiB}},
                              {0_ns, {MessageId(1), busy, 1_MiB}},
                              {0_ns, {MessageId(2), busy, 1_MiB}},
                              {0_ns, {MessageId(3), late, 1_MiB}}});
  const Picoseconds path = transmit_time(4096_B, 400_Gbps) + 1_us;
  const std::int64_t through[] = {2, 3, 4, 2};  // MiB have left when it has
  for (std::uint32_t i = 0; i < 4; i++) EXPECT_EQ(at[i], transmit_time(1_MiB, 400_Gbps) * through[i] + path) << i;
}

TEST(AnalyticEngine, a_cut_through_switch_waits_for_no_packet) {
  Scenario s = testing::star(2, 400_Gbps, 500_ns);
  s.fabric.switching = Switching::cut_through;
  AnalyticBench b(s);
  EXPECT_EQ(b.run({{MessageId(0), b.open(0, 1), 1_MiB}})[0], transmit_time(1_MiB, 400_Gbps) + 1000_ns);
}

TEST(AnalyticEngine, a_cut_through_switch_stores_before_a_faster_port) {
  Scenario s = testing::leaf_spine(4, 2, 1, 100_Gbps, 0_ns);
  s.fabric.switching = Switching::cut_through;
  s.fabric.uplink_rate = 200_Gbps;
  AnalyticBench b(s);
  // The leaf stores the packet (200 Gb/s port behind a 100 Gb/s one); the spine and the far leaf pass it on at once.
  EXPECT_EQ(b.run({{MessageId(0), b.open(0, 3), 1_MiB}})[0], transmit_time(1_MiB, 100_Gbps) + transmit_time(4096_B, 100_Gbps));
}

TEST(AnalyticEngine, host_latency_counts_at_both_ends) {
  Scenario s = testing::star(2, 400_Gbps, 500_ns);
  s.fabric.host_latency = 1250_ns;
  AnalyticBench b(s);
  EXPECT_EQ(b.run({{MessageId(0), b.open(0, 1), 64_B}})[0], transmit_time(64_B, 400_Gbps) * 2 + 1000_ns + 2500_ns);
}

TEST(AnalyticEngine, sixty_four_bytes_take_what_was_measured_on_roce) {
  // Insights into DeepSeek-V3 (ISCA'25), Table 5: 3.6 µs under one leaf, 5.6 µs across; NIC and switch estimates come from it.
  Scenario s = testing::leaf_spine(4, 2, 1, 400_Gbps, 100_ns, 900_ns);
  s.fabric.host_latency = 1250_ns;
  s.fabric.switching = Switching::cut_through;
  AnalyticBench b(s, {.mtu = 4096_B, .header = kRoceHeader, .message_header = kRoceMessageHeader});
  EXPECT_NEAR(microseconds(b.run({{MessageId(0), b.open(0, 1), 64_B}})[0]), 3.6, 0.01);
  AnalyticBench c(s, {.mtu = 4096_B, .header = kRoceHeader, .message_header = kRoceMessageHeader});
  EXPECT_NEAR(microseconds(c.run({{MessageId(0), c.open(0, 3), 64_B}})[0]), 5.6, 0.01);
}

TEST(AnalyticEngine, an_incast_of_equal_messages_ends_when_all_bytes_are_through) {
  AnalyticBench b(testing::star(9, 100_Gbps, 1000_ns));
  std::vector<Message> messages;
  for (std::uint32_t i = 0; i < 8; i++) messages.push_back({MessageId(i), b.open(i + 1, 0), 2_MiB});
  for (const Picoseconds at : b.run(messages))
    EXPECT_EQ(at, transmit_time(16_MiB, 100_Gbps) + 2000_ns + transmit_time(4096_B, 100_Gbps));
}

TEST(AnalyticEngine, a_small_message_leaves_a_shared_link_before_a_large_one) {
  AnalyticBench b(testing::star(3, 100_Gbps, 0_ns));
  const auto at = b.run({{MessageId(0), b.open(1, 0), Bytes(30'000'000)}, {MessageId(1), b.open(2, 0), Bytes(10'000'000)}});
  const Picoseconds path = transmit_time(4096_B, 100_Gbps);
  EXPECT_EQ(at[1], transmit_time(Bytes(20'000'000), 100_Gbps) + path);  // both shared until the small one was through
  EXPECT_EQ(at[0], transmit_time(Bytes(40'000'000), 100_Gbps) + path);
}

TEST(AnalyticEngine, a_message_that_comes_later_shares_what_is_left_of_the_first) {
  AnalyticBench b(testing::star(3, 100_Gbps, 0_ns));
  const Bytes size(10'000'000);  // 800 us alone
  const auto at = run_all(b, {{0_ns, {MessageId(0), b.open(1, 0), size}}, {200_us, {MessageId(1), b.open(2, 0), size}}});
  const Picoseconds path = transmit_time(4096_B, 100_Gbps);
  EXPECT_EQ(at[0], 1400_us + path);  // alone for 200 us, at half the rate for 1,200
  EXPECT_EQ(at[1], 1600_us + path);
}

TEST(AnalyticEngine, who_is_held_back_elsewhere_leaves_room) {
  // 1 sends to 0 and 3; 2 and 4 send to 0 as well: 0 is shared by three, and 1 has two thirds left for 3.
  AnalyticBench b(testing::star(5, 90_Gbps, 0_ns));
  const Bytes size(9'000'000);
  const auto at = b.run({{MessageId(0), b.open(1, 0), size},
                         {MessageId(1), b.open(2, 0), size},
                         {MessageId(2), b.open(4, 0), size},
                         {MessageId(3), b.open(1, 3), size}});
  const Picoseconds path = transmit_time(4096_B, 90_Gbps);
  EXPECT_EQ(at[3], 1200_us + path);
  for (std::uint32_t i = 0; i < 3; i++) EXPECT_EQ(at[i], 2400_us + path);
}

TEST(AnalyticEngine, a_message_whose_small_neighbours_are_through_may_meet_others_elsewhere) {
  // 0 sends much to 4 and a little to each of 5 to 9; 1 sends to 4, 10 and 11. While 0 is busy with all of them its large
  // message leaves room at 4; once the small ones are through it does not, and shares 4 with a third of what 1 has.
  AnalyticBench b(testing::star(12, 400_Gbps, 0_ns));
  std::vector<Message> messages{{MessageId(0), b.open(0, 4), Bytes(10'000'000)}};
  const auto add = [&](std::uint32_t from, std::uint32_t to, std::int64_t bytes) {
    messages.push_back({MessageId(static_cast<std::uint32_t>(messages.size())), b.open(from, to), Bytes(bytes)});
  };
  for (std::uint32_t to = 5; to < 10; to++) add(0, to, 1'000'000);
  for (const std::uint32_t to : {4U, 10U, 11U}) add(1, to, 4'000'000);
  const auto at = b.run(messages);
  // 120 us at 1/6 of 400 Gb/s bring 1 MB; then 2/3 for 120 us, 4 MB; then all of it for 5 MB, 100 us.
  EXPECT_NEAR(microseconds(at[0]), 340 + 0.08, 0.01);
  for (std::uint32_t i = 6; i < 9; i++) EXPECT_NEAR(microseconds(at[i]), 240 + 0.08, 0.01);
}

TEST(AnalyticEngine, shares_of_a_message_advance_together) {
  Scenario s = testing::leaf_spine(8, 4, 1, 400_Gbps, 0_ns);
  s.routing.policy = RoutingPolicy::ecmp;
  s.routing.qps_per_connection = 4;
  AnalyticBench b(s);
  // Alone, four queue pairs share the NIC; wherever they go, links above are as fast.
  const auto at = b.run({{MessageId(0), b.open(0, 7), 4_MiB}});
  EXPECT_EQ(at[0], transmit_time(4_MiB, 400_Gbps) + transmit_time(4096_B, 400_Gbps) * 3);
}

TEST(AnalyticEngine, a_rate_that_changes_counts_for_what_is_left) {
  AnalyticBench b(testing::star(2, 100_Gbps, 0_ns));
  const Message message{MessageId(0), b.open(0, 1), Bytes(10'000'000)};  // 800 us
  b.engine->post({&message, 1}, 0_ns);
  std::vector<Completion> done;
  b.engine->advance(400_us, done);
  b.engine->set_rate(b.fabric.trunk_ports[path_of(b.fabric, EndpointId(0), EndpointId(1))[0].trunk].front(), 50_Gbps, 400_us);
  b.engine->advance(Picoseconds::max(), done);
  ASSERT_EQ(done.size(), 1U);
  EXPECT_NEAR(microseconds(done[0].at), 1200, 0.5);
}

TEST(AnalyticEngine, a_host_link_that_slows_down_or_gets_company_is_looked_at_again) {
  AnalyticBench b(testing::star(4, 100_Gbps, 0_ns));
  const Message first{MessageId(0), b.open(0, 1), Bytes(10'000'000)}, second{MessageId(1), b.open(2, 3), Bytes(10'000'000)};
  std::vector<Completion> done;
  b.engine->post({&first, 1}, 0_ns);
  b.engine->post({&second, 1}, 100_us);  // from here on both are followed
  b.engine->advance(400_us, done);
  b.engine->set_rate(b.fabric.trunk_ports[path_of(b.fabric, EndpointId(0), EndpointId(1))[0].trunk].front(), 50_Gbps, 400_us);
  const Message third{MessageId(2), b.open(2, 1), Bytes(10'000'000)};  // shares a link with each
  b.engine->post({&third, 1}, 400_us);
  while (done.size() < 3) b.engine->advance(Picoseconds::max(), done);
  // First: 5 MB at 50 Gb/s. Second: 6.25 MB at 50 Gb/s. Third: 10 MB at 50 Gb/s until 1,400 us, then the last 3.75 MB at 100.
  EXPECT_NEAR(microseconds(done[0].at), 1200, 0.5);
  EXPECT_NEAR(microseconds(done[1].at), 1400, 0.5);
  EXPECT_NEAR(microseconds(done[2].at), 1700, 0.5);
}

/// Messages to one host that start and end at different times, while others of theirs are known or not that meet them
/// elsewhere, but send nothing.
std::vector<Picoseconds> staggered_incast(bool met_elsewhere, std::optional<std::uint64_t> merge_after = {}) {
  const Scenario star = testing::star(8, 100_Gbps, 300_ns);
  AnalyticBench b(star);
  b.engine = make_analytic_engine(b.fabric, testing::kBareWire, path_policy_of(star.routing), b.telemetry, merge_after);
  std::vector<QpId> to_one;
  for (std::uint32_t from = 1; from < 6; from++) to_one.push_back(b.open(from, 0));
  if (met_elsewhere)
    for (std::uint32_t from = 1; from < 6; from++) b.open(from, 7);
  std::vector<std::pair<Picoseconds, Message>> messages;
  for (std::uint32_t i = 0; i < 40; i++)
    messages.push_back({Picoseconds(i * 1'700'003), {MessageId(i), to_one[i * 3 % 5], Bytes(10'007 + i * i * 977 % 61'001)}});
  return run_all(b, messages);
}

TEST(AnalyticEngine, who_shares_one_link_alone_is_as_fast_as_where_all_rates_are_followed) {
  EXPECT_EQ(staggered_incast(false), staggered_incast(true));
}

TEST(AnalyticEngine, rates_of_who_shares_one_link_alone_never_wait_for_others) {
  EXPECT_EQ(staggered_incast(false, 0), staggered_incast(true));
  EXPECT_NE(staggered_incast(true, 0), staggered_incast(true));  // those do, from the first change on
}

TEST(AnalyticEngine, who_shared_one_link_alone_goes_on_with_what_is_left_when_others_come) {
  // 1 and 2 send to 0 and 3 to 4. At 200 us 1 begins to send to 5 as well, over a connection that is new.
  const Bytes size(10'000'000);  // 800 us alone
  AnalyticBench b(testing::star(6, 100_Gbps, 0_ns));
  const std::vector<Message> first{{MessageId(0), b.open(1, 0), size}, {MessageId(1), b.open(3, 4), size}};
  const Message second{MessageId(2), b.open(2, 0), size};
  std::vector<Completion> done;
  b.engine->post(first, 0_ns);
  b.engine->post({&second, 1}, 100_us);
  b.engine->advance(200_us, done);
  const Message third{MessageId(3), b.open(1, 5), size};
  b.engine->post({&third, 1}, 200_us);
  while (done.size() < 4) b.engine->advance(Picoseconds::max(), done);
  const Picoseconds path = transmit_time(4096_B, 100_Gbps);
  // The first two share 0 from 100 us on, at half; so does 1 with its own: nobody is slower than half until the first is
  // through.
  const Picoseconds through[] = {800_us, 1500_us, 1600_us, 1650_us};
  const std::uint32_t order[] = {1, 0, 2, 3};
  for (std::uint32_t i = 0; i < 4; i++) {
    EXPECT_EQ(done[i].id.index(), order[i]);
    EXPECT_NEAR(microseconds(done[i].at), microseconds(through[i] + path), 0.01) << i;
  }
}

TEST(AnalyticEngine, whether_messages_start_together_or_a_moment_apart_makes_no_difference) {
  for (const Picoseconds apart : {0_ns, Picoseconds(1), 1_ns}) {
    AnalyticBench b(testing::leaf_spine(8, 4, 4, 400_Gbps, 0_ns));
    std::vector<std::pair<Picoseconds, Message>> messages;
    for (std::uint32_t i = 0; i < 4; i++) messages.push_back({apart * i, {MessageId(i), b.open(i, i + 4), 1_MiB}});
    const Picoseconds all = transmit_time(4_MiB, 400_Gbps) + transmit_time(4096_B, 400_Gbps) * 3;
    for (const Picoseconds at : run_all(b, messages)) EXPECT_NEAR(microseconds(at), microseconds(all), 0.01);
  }
}

TEST(AnalyticEngine, queue_pairs_that_take_turns_deliver_in_order) {
  Scenario s = testing::leaf_spine(8, 4, 1, 400_Gbps, 0_ns);
  s.routing.policy = RoutingPolicy::ecmp;
  s.routing.qps_per_connection = 2;
  s.routing.qp_use = QpUse::round_robin;
  AnalyticBench b(s);
  const QpId qp = b.open(0, 7);
  const auto at = b.run({{MessageId(0), qp, 2_MiB}, {MessageId(1), qp, 64_KiB}, {MessageId(2), qp, 64_KiB}});
  EXPECT_LE(at[0], at[1]);  // though it is through first
  EXPECT_LE(at[1], at[2]);
  EXPECT_GE(at[2], transmit_time(2_MiB + 128_KiB, 400_Gbps));
}

TEST(AnalyticEngine, messages_of_one_queue_pair_do_not_overtake) {
  AnalyticBench b(testing::star(2, 100_Gbps, 1000_ns));
  const QpId qp = b.open(0, 1);
  const auto at = b.run({{MessageId(0), qp, 1_MiB}, {MessageId(1), qp, 64_B}, {MessageId(2), qp, 1_MiB}});
  EXPECT_LE(at[0], at[1]);
  EXPECT_LE(at[1], at[2]);
  EXPECT_GE(at[0], transmit_time(1_MiB, 100_Gbps));
  EXPECT_GE(at[2], transmit_time(2_MiB + 64_B, 100_Gbps));
}

TEST(AnalyticEngine, one_message_follows_one_path_however_wide_the_trunk) {
  Scenario s = testing::leaf_spine(8, 4, 1, 400_Gbps, 0_ns);
  s.routing.policy = RoutingPolicy::ecmp;
  s.fabric.uplink_rate = 100_Gbps;  // 16 uplinks of 100 Gb/s: the trunk is as fast as the hosts, a single path is not
  AnalyticBench b(s);
  EXPECT_GE(b.run({{MessageId(0), b.open(0, 7), 1_MiB}})[0], transmit_time(1_MiB, 100_Gbps));
  b.engine->finish();
  EXPECT_EQ(b.telemetry.trunk_path_time[path_of(b.fabric, EndpointId(0), EndpointId(7))[1].trunk],
            transmit_time(1_MiB, 100_Gbps));
}

TEST(AnalyticEngine, an_oversubscribed_trunk_is_shared_by_all_that_cross_it) {
  AnalyticBench b(testing::leaf_spine(8, 4, 4, 400_Gbps, 0_ns));
  std::vector<Message> messages;
  for (std::uint32_t i = 0; i < 4; i++) messages.push_back({MessageId(i), b.open(i, i + 4), 1_MiB});
  const Picoseconds stored = transmit_time(4096_B, 400_Gbps) * 3;
  for (const Picoseconds at : b.run(messages)) EXPECT_EQ(at, transmit_time(4_MiB, 400_Gbps) + stored);
}

TEST(AnalyticEngine, advance_stops_at_until_when_nothing_completes_before) {
  AnalyticBench b(testing::star(2, 100_Gbps, 1000_ns));
  const Message message{MessageId(0), b.open(0, 1), 1_MiB};
  b.engine->post({&message, 1}, 0_ns);
  std::vector<Completion> done;
  EXPECT_EQ(b.engine->advance(5_us, done), 5_us);
  EXPECT_TRUE(done.empty());
}

TEST(AnalyticEngineDeathTest, work_cannot_be_posted_in_the_past) {
  AnalyticBench b(testing::star(2, 100_Gbps, 1000_ns));
  const Message message{MessageId(0), b.open(0, 1), 1_MiB};
  std::vector<Completion> done;
  b.engine->advance(5_us, done);
  EXPECT_DEATH(b.engine->post({&message, 1}, 1_us), "posted in the order of time");
}

}  // namespace
}  // namespace railyard
