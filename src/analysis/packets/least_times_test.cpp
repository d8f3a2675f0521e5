#include "analysis/packets/least_times.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/packets/traffic_results.h"
#include "fabric/testing.h"
#include "sim/simulate.h"

namespace railyard {
namespace {

Run played(Scenario scenario, std::vector<TrafficLine> lines, Fidelity fidelity) {
  scenario.workload.collective.reset();
  scenario.workload.traffic.emplace();
  scenario.workload.traffic->pattern = TrafficPattern::file;
  scenario.workload.traffic->lines = std::move(lines);
  scenario.engine.fidelity = fidelity;
  Progress progress;
  Result<Run> run = simulate(scenario, {.threads = 1}, progress);
  EXPECT_TRUE(run) << (run ? "" : to_text(run.error().front()));
  return std::move(*run);
}

/// Completion times in ascending order, to compare with what is least.
std::vector<double> times_of(const Run& run) {
  std::vector<double> out;
  for (std::size_t i = 0; i < run.traffic->messages.size(); i++)
    out.push_back(microseconds(run.traffic->acknowledged[i] - run.traffic->messages[i].start));
  std::sort(out.begin(), out.end());
  return out;
}

double wire_us(const Run& run, std::int64_t messages) {
  const Bytes one = run.wire.wire_size(Bytes(1'000'000));
  return microseconds(transmit_time(one * messages, 400_Gbps));
}

TEST(LeastTimes, of_an_incast_are_what_the_receivers_link_carries_one_after_the_other) {
  const std::vector<TrafficLine> three = {
      {0_us, 1, 0, Bytes(1'000'000), 1}, {0_us, 2, 0, Bytes(1'000'000), 2}, {0_us, 3, 0, Bytes(1'000'000), 3}};
  const railyard::Run run = played(testing::star(4, 400_Gbps, 500_ns), three, Fidelity::flow);
  const std::vector<double> least = least_times_us(run, kDataClass);
  ASSERT_EQ(least.size(), 3U);
  const double way = microseconds(500_ns * 2);
  EXPECT_GE(least[0], wire_us(run, 1) + way);
  EXPECT_NEAR(least[1], wire_us(run, 2) + way, 1e-3);
  EXPECT_NEAR(least[2], wire_us(run, 3) + way, 1e-3);
}

TEST(LeastTimes, of_one_sender_count_too_and_messages_apart_do_not_wait_for_each_other) {
  const railyard::Run both = played(testing::star(4, 400_Gbps, 500_ns),
                                    {{0_us, 0, 1, Bytes(1'000'000), 1}, {0_us, 0, 2, Bytes(1'000'000), 2}}, Fidelity::flow);
  EXPECT_NEAR(least_times_us(both, kDataClass)[1], wire_us(both, 2) + 1, 1e-3);
  const railyard::Run apart = played(testing::star(4, 400_Gbps, 500_ns),
                                     {{0_us, 0, 1, Bytes(1'000'000), 1}, {100_us, 2, 1, Bytes(1'000'000), 2}}, Fidelity::flow);
  EXPECT_LT(least_times_us(apart, kDataClass)[1], wire_us(apart, 1) + 2);
}

TEST(LeastTimes, are_below_what_any_engine_plays) {
  std::vector<TrafficLine> lines;
  for (std::uint32_t i = 2; i < 16; i++) {
    lines.push_back({0_us, i, i % 2, Bytes(200'000) * i, i});
    lines.push_back({0_us, i, 15 - i, Bytes(7'000) * i, i + 16});
  }
  for (const Fidelity fidelity : {Fidelity::flow, Fidelity::packet}) {
    const railyard::Run run = played(testing::leaf_spine(16, 4, 2, 400_Gbps, 500_ns), lines, fidelity);
    const std::vector<double> least = least_times_us(run, kDataClass), taken = times_of(run);
    ASSERT_EQ(least.size(), taken.size());
    for (std::size_t i = 0; i < least.size(); i++) EXPECT_LE(least[i], taken[i] + 1e-5) << i;
    if (fidelity == Fidelity::flow) {
      EXPECT_GT(spread_of(least).p99, 0.3 * spread_of(taken).p99) << "and not far below";
    }
  }
}

}  // namespace
}  // namespace railyard
