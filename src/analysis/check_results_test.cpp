#include "analysis/check_results.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

FlowTimes flows(double slowdown) {
  FlowTimes times{.messages = 1, .undelivered = 0, .delivered = 1_KiB, .fct_us = {}, .delivery_us = {}, .slowdown = {}};
  times.slowdown = {slowdown, slowdown, slowdown, slowdown};
  return times;
}

TEST(CheckResultsDeathTest, a_rate_above_the_line_stops_the_program) {
  Results results;
  results.patterns.loads.push_back({.of = "NIC", .count = 1, .capacity_gbps = 100, .gbps = {.max = 100}});
  check_results(results);
  results.patterns.loads.front().gbps.max = 100.1;
  EXPECT_DEATH(check_results(results), "nothing sends more than its links carry");
}

TEST(CheckResultsDeathTest, a_burst_above_the_line_stops_the_program) {
  Results results;
  PointPattern point{.where = "NIC", .name = "GPU 0 to leaf 0", .capacity_gbps = 400};
  point.resolutions.push_back({.mean_gbps = 10, .peak_gbps = 400.04});
  results.patterns.points.push_back(point);
  EXPECT_DEATH(check_results(results), "no burst is above the line");
}

TEST(CheckResultsDeathTest, a_tier_that_is_used_beyond_its_rate_stops_the_program) {
  Results results;
  results.tiers.push_back({.name = "leaf to spine", .trunk_rate = {}, .carried = {}, .peak_utilisation = 1});
  check_results(results);
  results.tiers.front().peak_utilisation = 1.0009;
  EXPECT_DEATH(check_results(results), "no tier is used beyond its rate");
}

TEST(CheckResultsDeathTest, a_message_that_is_faster_than_alone_stops_the_program) {
  Results results;
  results.traffic.emplace().flows = flows(1);
  check_results(results);
  results.traffic->flows = flows(0.98);
  EXPECT_DEATH(check_results(results), "no message is faster than alone");
}

TEST(CheckResultsDeathTest, goodput_above_the_links_of_receivers_stops_the_program) {
  Results results;
  TrafficResults& traffic = results.traffic.emplace();
  traffic.flows = flows(1);
  traffic.receivers_line_gbps = 800, traffic.receiver_line_gbps = 400;
  traffic.goodput_gbps = 800, traffic.receiver_gbps.max = 400;
  check_results(results);
  traffic.receiver_gbps.max = 401;
  EXPECT_DEATH(check_results(results), "nobody receives more than its links carry");
  traffic.receiver_gbps.max = 400, traffic.goodput_gbps = 801;
  EXPECT_DEATH(check_results(results), "no more arrives than the links of all receivers carry");
}

TEST(CheckResultsDeathTest, a_rail_that_is_used_beyond_its_rate_stops_the_program) {
  Results results;
  TrafficResults& traffic = results.traffic.emplace();
  traffic.flows = flows(1);
  traffic.rails.push_back({.rail = 0, .sent = {}, .mean_utilisation = 0.5, .peak_utilisation = 1});
  check_results(results);
  traffic.rails.front().peak_utilisation = 1.0009;
  EXPECT_DEATH(check_results(results), "no rail is used beyond its rate");
}

TEST(CheckResultsDeathTest, a_slice_faster_than_a_nic_stops_the_program) {
  Results results;
  results.slice.emplace().rows.push_back(
      {.what = "gradients", .group = "data", .flow = {}, .packets = {}, .packet_gbps = 400, .line_gbps = 400});
  check_results(results);
  results.slice->rows.front().packet_gbps = 400.1;
  EXPECT_DEATH(check_results(results), "no collective sends faster than a NIC");
}

TEST(CheckResultsDeathTest, a_utilisation_of_flops_above_one_stops_the_program) {
  Results results;
  StepResults& step = results.step.emplace();
  step.mfu = {.causal = 1, .full = 1.5, .hardware = 1};
  check_results(results);
  step.mfu.hardware = 1.01;
  EXPECT_DEATH(check_results(results), "no GPU computes faster than its peak");
  step.peak_share = 2;  // in fp8
  check_results(results);
  step.mfu.causal = 2.01;
  EXPECT_DEATH(check_results(results), "no model is computed faster than the GPU's peak");
}

TEST(CheckResultsDeathTest, a_queue_that_is_deeper_on_average_than_ever_stops_the_program) {
  Results results;
  results.traffic.emplace().flows = flows(1);
  PacketResults& packets = results.traffic->packets.emplace();
  packets.deepest_ports.push_back({.name = "leaf 0 to GPU 0", .carried = {}, .deepest = 100_B, .mean_backlog = 100});
  check_results(results);
  packets.deepest_ports.front().mean_backlog = 101;
  EXPECT_DEATH(check_results(results), "no queue is deeper on average than ever");
}

TEST(CheckResultsDeathTest, bins_of_one_place_add_up_to_no_more_than_its_line) {
  Results results;
  PointPattern point{.where = "NIC", .name = "GPU 0 to leaf 0", .capacity_gbps = 400};
  point.whole.rows = {{"a", {200, 100}}, {"b", {200, 0}}};
  results.patterns.points.push_back(point);
  check_results(results);
  results.patterns.points.front().whole.rows[1].gbps[1] = 301;
  EXPECT_DEATH(check_results(results), "nothing is above its line rate at any time");
}

}  // namespace
}  // namespace railyard
