#include "sim/traffic/traffic_run.h"

#include <gtest/gtest.h>

#include "engine/testing.h"
#include "fabric/testing.h"
#include "sim/simulate.h"

namespace railyard {
namespace {

Scenario with_traffic(Scenario scenario, TrafficPattern pattern, Bytes size, Fidelity fidelity) {
  scenario.workload.collective.reset();
  scenario.workload.traffic.emplace();
  scenario.workload.traffic->pattern = pattern;
  scenario.workload.traffic->size = size;
  scenario.engine.fidelity = fidelity;
  return scenario;
}

Result<Run> simulated(const Scenario& scenario, const RunOptions& options = {.threads = 1}) {
  Progress progress;
  Result<Run> run = simulate(scenario, options, progress);
  EXPECT_TRUE(!run || progress.done() == progress.total());
  return run;
}

Run run(const Scenario& scenario, const RunOptions& options = {.threads = 1}) {
  Result<Run> result = simulated(scenario, options);
  EXPECT_TRUE(result) << (result ? "" : to_text(result.error().front()));
  return std::move(*result);
}

constexpr Fidelity kBoth[] = {Fidelity::analytic, Fidelity::flow};

TEST(TrafficRun, one_message_takes_its_wire_time_and_the_path_delay_which_is_ideal) {
  for (const Fidelity fidelity : kBoth)
    for (const Bytes size : {Bytes(1), 1000_B, 4096_B, 1_MiB, Bytes(2'000'000)}) {
      Scenario scenario = with_traffic(testing::star(2, 400_Gbps, 500_ns, 700_ns), TrafficPattern::incast, size, fidelity);
      const auto r = run(scenario);
      ASSERT_EQ(r.traffic->messages.size(), 1U);
      const Picoseconds time = transmit_time(testing::kRoceWire.wire_size(size), 400_Gbps) +
                               transmit_time(testing::kRoceWire.packet_size(size), 400_Gbps) + 500_ns * 2 + 700_ns;
      EXPECT_EQ(r.traffic->delivered[0], time);
      EXPECT_EQ(r.traffic->ideal[0], time);
      EXPECT_EQ(r.traffic->acknowledged[0], time);
    }
}

TEST(TrafficRun, an_incast_ends_when_the_receivers_link_has_carried_all_of_it) {
  for (const Fidelity fidelity : kBoth) {
    Scenario scenario =
        with_traffic(testing::leaf_spine(64, 8, 1, 400_Gbps, 500_ns, 700_ns), TrafficPattern::incast, 1_MiB, fidelity);
    scenario.workload.traffic->fan_in = 7;
    const auto r = run(scenario);
    const Picoseconds path_delay = r.traffic->ideal[0] - transmit_time(testing::kRoceWire.wire_size(1_MiB), 400_Gbps);
    const Picoseconds last = *std::max_element(r.traffic->delivered.begin(), r.traffic->delivered.end());
    EXPECT_NEAR(seconds(last), seconds(transmit_time(testing::kRoceWire.wire_size(1_MiB) * 7, 400_Gbps) + path_delay), 1e-11);
    EXPECT_EQ(r.traffic->telemetry.payload, 7_MiB);
  }
}

TEST(TrafficRun, messages_of_one_sender_receiver_and_class_share_a_connection_in_order) {
  Scenario scenario = with_traffic(testing::star(8, 400_Gbps, 500_ns), TrafficPattern::ring, 1_MiB, Fidelity::flow);
  scenario.workload.traffic->rounds = 3;
  scenario.workload.traffic->interval = 1_us;
  const auto r = run(scenario);
  EXPECT_EQ(r.traffic->connections, 8U);
  ASSERT_EQ(r.traffic->messages.size(), 24U);
  const Picoseconds one = transmit_time(testing::kRoceWire.wire_size(1_MiB), 400_Gbps);
  for (std::size_t i = 0; i < 8; i++)
    for (std::size_t round = 0; round < 3; round++)  // one after the other: the link is never idle
      EXPECT_NEAR(seconds(r.traffic->delivered[round * 8 + i]),
                  seconds(r.traffic->ideal[i] + one * static_cast<std::int64_t>(round)), 1e-11);
}

TEST(TrafficRun, background_has_connections_of_its_own_and_slows_the_pattern_down) {
  Scenario scenario =
      with_traffic(testing::leaf_spine(16, 4, 1, 400_Gbps, 500_ns), TrafficPattern::permutation, 4_MiB, Fidelity::flow);
  const auto alone = run(scenario);
  scenario.workload.traffic->background = 0.4;
  const auto beside = run(scenario);
  Picoseconds first, second;
  std::size_t data = 0;
  for (const Picoseconds at : alone.traffic->delivered) first = std::max(first, at);
  for (std::size_t i = 0; i < beside.traffic->messages.size(); i++)
    if (beside.traffic->messages[i].traffic_class == kDataClass)
      second = std::max(second, beside.traffic->delivered[i]), data++;
  EXPECT_EQ(data, 16U);
  EXPECT_GT(beside.traffic->messages.size(), 100U);
  EXPECT_GT(second, first);
}

TEST(TrafficRun, the_same_seed_gives_the_same_fingerprint_and_another_another) {
  for (const Fidelity fidelity : kBoth) {
    Scenario scenario = with_traffic(testing::leaf_spine(32, 8, 2, 400_Gbps, 500_ns), TrafficPattern::uniform, 1_MiB, fidelity);
    const std::string one = run(scenario).fingerprint;
    EXPECT_EQ(run(scenario, {.threads = 4}).fingerprint, one);
    scenario = testing::seeded(scenario, 2);
    EXPECT_NE(run(scenario).fingerprint, one);
  }
}

TEST(TrafficRun, every_message_is_told_to_who_asked) {
  for (const Fidelity fidelity : {Fidelity::flow, Fidelity::packet}) {
    const Scenario scenario = with_traffic(testing::star(8, 400_Gbps, 500_ns), TrafficPattern::all_to_all, 1_MiB, fidelity);
    std::vector<FlowRecord> flows;
    const auto r = run(scenario, {.threads = 1, .on_flow = [&](const FlowRecord& flow) { flows.push_back(flow); }});
    ASSERT_EQ(flows.size(), 56U);
    for (std::size_t i = 0; i < flows.size(); i++) {
      EXPECT_EQ(flows[i].what, "all-to-all");
      EXPECT_EQ(flows[i].size, 1_MiB);
      EXPECT_TRUE(i == 0 || flows[i - 1].finish <= flows[i].finish);
    }
  }
}

TEST(TrafficRun, what_takes_days_is_refused) {
  Scenario scenario = with_traffic(testing::star(8, 1_Mbps, 500_ns), TrafficPattern::incast, 1_GiB * 100, Fidelity::flow);
  const auto refused = simulated(scenario);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().code, "RY-RUN-011");
}

TEST(TrafficRun, messages_that_never_arrive_are_counted_with_the_reason) {
  Scenario scenario = with_traffic(testing::star(8, 400_Gbps, 500_ns), TrafficPattern::ring, 1_MiB, Fidelity::flow);
  auto whole = run(scenario);
  TrafficRun& r = *whole.traffic;
  EXPECT_TRUE(undelivered(scenario, whole.fabric, r).empty());
  r.delivered[3] = r.delivered[5] = Picoseconds::max();
  r.telemetry.packets.emplace();
  r.telemetry.packets->deadlocks = {{.at = 5_us, .is_cycle = true, .ports = {PortId(0), PortId(1)}}};
  const Diagnostics found = undelivered(scenario, whole.fabric, r);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "RY-RUN-035");
  EXPECT_EQ(found[0].severity, Severity::error);
  EXPECT_EQ(
      found[0].message,
      "2 of 8 messages never arrive: a deadlock, ports wait for each other in a cycle: host 0 to leaf 0, host 1 to leaf 0");
}

TEST(PacketMemory, packets_are_bounded_by_what_there_are_and_by_what_fits) {
  const Scenario scenario = with_traffic(testing::star(2, 400_Gbps, 1_us), TrafficPattern::ring, 1_MiB, Fidelity::packet);
  const auto r = run(scenario);
  PacketPlan plan;
  plan.buffer.size = 1_MiB;
  const auto packets = [&](std::uint64_t count) {
    return packet_memory(r.fabric, r.wire, plan, {.messages = 2, .packets = count, .queue_pairs = 2}).packets;
  };
  EXPECT_EQ(packets(10), 10_B * 128);
  // 1 MiB in the switch, four directed links of 1 µs at 50 GB/s, and one packet being sent at each port.
  const double room = (1048576 + 4 * 50'000) / 4178.0 + 4;
  EXPECT_NEAR(static_cast<double>(packets(1'000'000).count()), room * 128, 128);
  const MemoryEstimate all = packet_memory(r.fabric, r.wire, plan, {.messages = 2, .packets = 10, .queue_pairs = 2});
  EXPECT_EQ(all.total(), all.ports + all.queue_pairs + all.messages + all.packets);
}

TEST(PacketMemory, a_run_that_may_need_more_than_allowed_says_so_before_it_starts) {
  const Scenario scenario =
      with_traffic(testing::star(64, 400_Gbps, 1_us), TrafficPattern::all_to_all, 1_MiB, Fidelity::packet);
  const auto refused = simulated(scenario, {.threads = 1, .memory = 1_MiB});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().code, "RY-RUN-034");
  EXPECT_NE(refused.error().front().message.find("the limit is 1 MiB"), std::string::npos);
  EXPECT_TRUE(simulated(scenario));
}

}  // namespace
}  // namespace railyard
