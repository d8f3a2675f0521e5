#include "analysis/patterns/flow_sizes.h"

#include <gtest/gtest.h>

#include "analysis/patterns/volumes.h"

namespace railyard {
namespace {

/// A ring over `n` GPUs, and one to all others of them with smaller parts.
std::vector<Bundle> bundles(std::uint32_t n) {
  std::vector<Bundle> all(2);
  for (std::uint32_t i = 0; i < n; i++) all[0].edges.push_back({EndpointId(i), EndpointId((i + 1) % n), 1});
  for (std::uint32_t i = 1; i < n; i++) all[1].edges.push_back({EndpointId(0), EndpointId(i), i == 1 ? 1 : 0.5});
  return all;
}

double sum_of_buckets(const FlowSizes& sizes) {
  double bytes = 0;
  for (const FlowSizes::Bucket& bucket : sizes.buckets) bytes += bucket.bytes;
  return bytes;
}

TEST(FlowSizes, elephants_and_mice_of_known_sizes) {
  const FlowSizes sizes = flow_sizes("message", "", {{200e6, 1}, {50e3, 8}, {1e6, 1}});
  EXPECT_EQ(sizes.count, 10);
  EXPECT_DOUBLE_EQ(sizes.bytes, 201.4e6);
  EXPECT_DOUBLE_EQ(sizes.elephants.count, 0.1);
  EXPECT_DOUBLE_EQ(sizes.elephants.bytes, 200 / 201.4);
  EXPECT_DOUBLE_EQ(sizes.mice.count, 0.8);
  EXPECT_DOUBLE_EQ(sizes.mice.bytes, 0.4 / 201.4);
  EXPECT_EQ(sizes.p50, 50e3);
  EXPECT_EQ(sizes.p99, 200e6);
  EXPECT_EQ(sizes.max, 200e6);
  EXPECT_DOUBLE_EQ(sum_of_buckets(sizes), sizes.bytes);
}

TEST(FlowSizes, a_class_is_named_by_the_sizes_in_it) {
  const FlowSizes sizes = flow_sizes("message", "", {{16e6, 3}, {20e6, 1}, {30e6, 1}});
  ASSERT_EQ(sizes.buckets.size(), 2U);
  EXPECT_EQ(sizes.buckets[0].from, 16e6);  // not 2^23, 8.4 MB
  EXPECT_EQ(sizes.buckets[0].to, 16e6);
  EXPECT_EQ(sizes.buckets[1].from, 20e6);
  EXPECT_EQ(sizes.buckets[1].to, 30e6);
}

TEST(FlowSizes, a_flow_of_exactly_100_MB_or_100_kB_is_neither) {
  const FlowSizes sizes = flow_sizes("message", "", {{100e6, 1}, {100e3, 1}});
  EXPECT_EQ(sizes.elephants.count, 0);
  EXPECT_EQ(sizes.mice.count, 0);
}

TEST(FlowSizes, every_level_has_the_same_bytes) {
  const std::vector<Bundle> net = bundles(4);
  // A ring of 3 steps, twice, 3 MiB a step; one to all others, 800 kB at most.
  const double ring = 9.0 * (1 << 20);
  const WireTraffic traffic{.rows = {"all_gather (parameters)", "all_to_all (dispatch)"},
                            .calls = {{0, 0, 0_us, 10_us, ring, 3}, {0, 0, 20_us, 30_us, ring, 3}, {1, 1, 5_us, 9_us, 800e3}},
                            .time = 40_us};
  const std::vector<FlowSizes> levels = flow_sizes_of(net, traffic, 4);
  ASSERT_EQ(levels.size(), 4U);
  const double all = 2 * 4 * ring + 800e3 * 2;
  for (const FlowSizes& level : levels) EXPECT_NEAR(level.bytes, all, 1) << level.level;
  EXPECT_EQ(levels[0].max, kLargestMessage);              // 3 MiB are six pieces
  EXPECT_EQ(levels[0].count, 2 * 4 * 3 * 6 + 2 + 1 + 1);  // 800 kB are two, 400 kB one
  EXPECT_EQ(levels[1].max, ring / 4);
  EXPECT_EQ(levels[1].count, (2 * 4 + 3) * 4);
  EXPECT_EQ(levels[2].max, ring);
  EXPECT_EQ(levels[2].count, 2 * 4 + 1);
  EXPECT_EQ(levels[3].count, 4 + 2);  // 0 to 1 is part of both
  EXPECT_NEAR(levels[3].max, 2 * ring + 800e3, 1);
}

TEST(FlowSizes, messages_by_themselves_are_not_split) {
  const std::vector<Bundle> net = bundles(4);
  const WireTraffic traffic{.rows = {"send (data)"}, .calls = {{0, 0, 0_us, 1_us, 64e6}}, .time = 1_us};
  const std::vector<FlowSizes> levels = message_sizes_of({net.data(), 1}, traffic, 2);
  EXPECT_EQ(levels[0].max, 64e6);
  EXPECT_EQ(levels[1].max, 32e6);
}

TrafficRow row(const char* phase, const char* group, const char* primitive, double sent, double scale_out) {
  TrafficRow made;
  made.phase = phase, made.group = group, made.primitive = primitive, made.sent = sent, made.scale_out = scale_out;
  return made;
}

TEST(Volumes, every_grouping_has_the_same_sum) {
  const std::vector<TrafficRow> traffic = {
      row("forward", "tensor", "all_gather", 100, 0),     row("backward", "tensor", "reduce_scatter", 120, 0),
      row("forward", "expert", "all_to_all", 40, 30),     row("backward", "expert", "all_to_all", 50, 35),
      row("gradients", "data", "reduce_scatter", 10, 10), row("parameters", "data", "all_gather", 5, 5)};
  const std::vector<Volumes> all = volumes_of(traffic, {});
  ASSERT_EQ(all.size(), 4U);
  for (const Volumes& volumes : all) {
    EXPECT_DOUBLE_EQ(volumes.bytes(), 325) << volumes.by;
    EXPECT_DOUBLE_EQ(volumes.scale_out(), 80) << volumes.by;
  }
  EXPECT_EQ(all[0].rows[0].name, "reduce_scatter");
  EXPECT_EQ(all[0].rows[0].bytes, 130);
  EXPECT_EQ(all[1].rows[0].name, "backward");
  EXPECT_EQ(all[1].rows[2].name, "expert routing");
  EXPECT_EQ(all[1].rows[2].bytes, 90);
  EXPECT_EQ(all[3].rows[1].name, "between scale-up domains");
}

TEST(Volumes, tiers_are_those_that_traffic_reaches) {
  const std::vector<Volumes> all =
      volumes_of({row("gradients", "data", "all_reduce", 100, 60)}, {{"data", 100, 40, 10, 20, 30}});
  EXPECT_DOUBLE_EQ(all[3].bytes(), 100);
  EXPECT_DOUBLE_EQ(all[3].scale_out(), 60);
  EXPECT_EQ(all[3].rows[1].name, "between pods");
}

}  // namespace
}  // namespace railyard
