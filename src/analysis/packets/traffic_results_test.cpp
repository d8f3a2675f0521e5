#include "analysis/packets/traffic_results.h"

#include <gtest/gtest.h>

#include "fabric/testing.h"

namespace railyard {
namespace {

TEST(TrafficResults, percentiles_are_values_that_occurred) {
  std::vector<double> values;
  for (int i = 100; i >= 1; i--) values.push_back(i);
  const TimeSpread spread = spread_of(values);
  EXPECT_DOUBLE_EQ(spread.mean, 50.5);
  EXPECT_EQ(spread.p50, 50);
  EXPECT_EQ(spread.p99, 99);
  EXPECT_EQ(spread.max, 100);
  EXPECT_EQ(spread_of({}).max, 0);
  EXPECT_EQ(spread_of({3.0}).p99, 3);
}

/// Two messages of 1 MB to host 0 and one of background, with times by hand.
struct Made {
  Scenario scenario = testing::star(4, 400_Gbps, 500_ns);
  auto run() {
    scenario.workload.collective.reset();
    scenario.workload.traffic.emplace();
    scenario.workload.traffic->pattern = TrafficPattern::file;
    scenario.workload.traffic->lines = {{0_us, 1, 0, Bytes(1'000'000), 2}, {10_us, 2, 0, Bytes(1'000'000), 3}};
    scenario.engine.fidelity = Fidelity::flow;
    Progress progress;
    auto made = simulate(scenario, {.threads = 1}, progress);
    made->traffic->messages.push_back({EndpointId(1), EndpointId(3), Bytes(500), 5_us, kBackgroundClass});
    made->traffic->delivered = {20_us, 50_us, 6_us};
    made->traffic->acknowledged = {22_us, 53_us, 6_us};
    made->traffic->ideal = {20_us, 20_us, 1_us};
    scenario.workload.traffic->background = 0.1;
    return made;
  }
};

TEST(TrafficResults, the_slowest_messages_come_first) {
  Made made;
  const auto run = made.run();
  const TrafficResults r = analyse_traffic(made.scenario, *run);
  ASSERT_EQ(r.slowest.size(), 2U);  // background is none of them
  EXPECT_EQ(r.slowest[0].from, 2U);
  EXPECT_EQ(r.slowest[0].to, 0U);
  EXPECT_EQ(r.slowest[0].size, Bytes(1'000'000));
  EXPECT_EQ(r.slowest[0].start_us, 10);
  EXPECT_EQ(r.slowest[0].fct_us, 43);
  EXPECT_EQ(r.slowest[0].ideal_us, 20);
  EXPECT_DOUBLE_EQ(r.slowest[0].slowdown, 2);
  EXPECT_EQ(r.slowest[1].from, 1U);
}

TEST(TrafficResults, times_run_to_the_acknowledgement_and_slowdown_to_the_delivery) {
  Made made;
  const auto run = made.run();
  const TrafficResults r = analyse_traffic(made.scenario, *run);
  EXPECT_EQ(r.pattern, "file");
  EXPECT_EQ(r.flows.messages, 2U);
  EXPECT_EQ(r.flows.undelivered, 0U);
  EXPECT_EQ(r.flows.fct_us.p50, 22);
  EXPECT_EQ(r.flows.fct_us.max, 43);
  EXPECT_DOUBLE_EQ(r.flows.fct_us.mean, 32.5);
  EXPECT_EQ(r.flows.delivery_us.max, 40);
  EXPECT_DOUBLE_EQ(r.flows.slowdown.max, 2);
  ASSERT_TRUE(r.background);
  EXPECT_EQ(r.background->messages, 1U);
  EXPECT_EQ(r.background->fct_us.max, 1);
  EXPECT_EQ(r.makespan_us, 50);
  EXPECT_DOUBLE_EQ(r.goodput_gbps, 320);    // 2 MB in 50 µs
  EXPECT_NEAR(r.receiver_busy, 0.8, 0.05);  // headers included
  EXPECT_EQ(r.receivers, 1U);
  EXPECT_DOUBLE_EQ(r.receiver_gbps.max, 320);
  EXPECT_DOUBLE_EQ(r.receiver_least_gbps, 320);
}

TEST(TrafficResults, what_never_arrives_is_counted_and_not_timed) {
  Made made;
  auto run = made.run();
  run->traffic->delivered[1] = run->traffic->acknowledged[1] = Picoseconds::max();
  const TrafficResults r = analyse_traffic(made.scenario, *run);
  EXPECT_EQ(r.flows.undelivered, 1U);
  EXPECT_EQ(r.flows.fct_us.max, 22);
  EXPECT_EQ(r.makespan_us, 20);
  EXPECT_DOUBLE_EQ(r.goodput_gbps, 400);
}

}  // namespace
}  // namespace railyard
