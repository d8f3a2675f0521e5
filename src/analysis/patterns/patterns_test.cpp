// Patterns of whole runs: whatever is cut, nothing is lost, and nothing exceeds what links can carry.
#include "analysis/patterns/patterns.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/patterns/observed_points.h"
#include "analysis/results.h"
#include "scenario/testing.h"

namespace railyard {
namespace {

constexpr const char* kStep = R"(name = "step"
[model]
preset = "mixtral-8x7b"
layers = 8
experts = 32
sequence = 4096
[training]
global_batch = 128
[parallel]
expert = 16
pipeline = 2
zero = 1
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 64
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 16
spines = 4
cable = "30 m"
)";

struct Analysed {
  Scenario scenario;
  Run run;
  Results results;
};

Analysed analysed(const std::string& more, const char* scenario = kStep) {
  Scenario made = testing::scenario_of(std::string(scenario) + more);
  Progress progress;
  Result<Run> run = simulate(made, {.threads = 1}, progress);
  if (!run) throw std::runtime_error(to_text(run.error().front()));
  Results results = analyse(made, *run);
  return {std::move(made), std::move(*run), std::move(results)};
}

double bytes_of(const OverTime& series) {
  double bits = 0;
  for (const OverTime::Row& row : series.rows)
    for (const double gbps : row.gbps) bits += gbps * 1e9 * series.bin_s;
  return bits / 8;
}

const char* const kEngines[] = {
    "[routing]\npolicy = \"ecmp\"\n[engine]\nfidelity = \"flow\"\nmode = \"exact\"\n",
    "[routing]\npolicy = \"ecmp\"\n[engine]\nfidelity = \"flow\"\nmode = \"quantised\"\n",
    "[routing]\npolicy = \"adaptive\"\n[engine]\nfidelity = \"flow\"\nmode = \"quantised\"\n",
    "[transport]\nqps_per_connection = 4\n[routing]\npolicy = \"e-ecmp\"\n[engine]\nfidelity = \"flow\"\nmode = \"exact\"\n"};

TEST(Patterns, volumes_sum_to_the_traffic_of_the_step) {
  for (const char* engine : {"", kEngines[0]}) {
    const Analysed a = analysed(engine);
    double sent = 0, scale_out = 0;
    for (const TrafficRow& row : a.results.step->traffic) sent += row.sent, scale_out += row.scale_out;
    ASSERT_EQ(a.results.patterns.volumes.size(), 4U);
    for (const Volumes& volumes : a.results.patterns.volumes) EXPECT_NEAR(volumes.bytes(), sent, sent * 1e-9) << volumes.by;
    EXPECT_NEAR(a.results.patterns.volumes[0].scale_out(), scale_out, scale_out * 1e-9);
  }
}

TEST(Patterns, what_a_point_carries_over_time_is_what_the_engine_counted_there) {
  for (const char* engine : kEngines) {
    const Analysed a = analysed(engine);
    ASSERT_EQ(a.results.patterns.points.size(), 3U) << engine;
    const auto nic = busiest_link(a.run.fabric, *a.run.network, Tier::host_up);
    const auto uplink = busiest_link(a.run.fabric, *a.run.network, Tier::leaf_up);
    double all = 0;
    for (const TrunkId trunk : ids(a.run.fabric.trunk_tier))
      if (a.run.fabric.trunk_tier[trunk] == Tier::host_up)
        all += static_cast<double>(a.run.network->trunk_carried[trunk].count());
    const double carried[] = {static_cast<double>(nic->carried.count()), static_cast<double>(uplink->carried.count()), all};
    for (std::size_t i = 0; i < 3; i++) {
      const PointPattern& point = a.results.patterns.points[i];
      EXPECT_NEAR(bytes_of(point.whole) / carried[i], 1, 1e-3) << engine << point.where;
      for (const Burstiness& b : point.resolutions) {
        EXPECT_NEAR(b.mean_gbps * 1e9 / 8 * a.results.step->step_time_s / carried[i], 1, 1e-3) << engine << point.where;
        EXPECT_LE(b.peak_gbps, point.capacity_gbps * 0.95 * (1 + 1e-6)) << engine << point.where;
        EXPECT_GE(b.peak_gbps, b.mean_gbps);
      }
    }
  }
}

TEST(Patterns, every_level_of_flow_sizes_has_the_bytes_that_nics_sent) {
  const Analysed a = analysed(kEngines[3]);
  double all = 0;
  for (const TrunkId trunk : ids(a.run.fabric.trunk_tier))
    if (a.run.fabric.trunk_tier[trunk] == Tier::host_up)
      all += static_cast<double>(a.run.network->trunk_carried[trunk].count());
  ASSERT_EQ(a.results.patterns.flow_sizes.size(), 4U);
  for (const FlowSizes& sizes : a.results.patterns.flow_sizes) EXPECT_NEAR(sizes.bytes / all, 1, 1e-3) << sizes.level;
  EXPECT_LE(a.results.patterns.flow_sizes[0].max, kLargestMessage);
}

TEST(Patterns, closed_forms_know_sizes_of_collectives_and_no_rates) {
  const Analysed a = analysed("");
  ASSERT_EQ(a.results.patterns.flow_sizes.size(), 1U);
  double scale_out = 0;
  for (const TrafficRow& row : a.results.step->traffic) scale_out += row.scale_out;
  EXPECT_NEAR(a.results.patterns.flow_sizes[0].bytes / (scale_out * 64), 1, 1e-6);
  EXPECT_TRUE(a.results.patterns.points.empty());
}

TEST(Patterns, the_timeline_fills_the_step_and_does_not_overlap) {
  const Analysed a = analysed(kEngines[0]);
  ASSERT_TRUE(a.results.patterns.timeline);
  ASSERT_EQ(a.results.patterns.timeline->stages.size(), 2U);
  for (const StageTimeline::Stage& stage : a.results.patterns.timeline->stages) {
    Picoseconds last, optimizer;
    for (const StageSpan& span : stage.spans) {
      EXPECT_GE(span.start, last);
      EXPECT_GT(span.end, span.start);
      last = span.end;
      if (span.kind == SpanKind::optimizer) optimizer += span.end - span.start;
    }
    EXPECT_EQ(last, a.run.training->time);
    EXPECT_EQ(optimizer, a.run.training->stages[stage.stage].optimizer);
  }
}

TEST(Patterns, a_long_timeline_is_shown_in_short) {
  const Analysed a = analysed("");
  const StageTimeline timeline = stage_timeline(*a.run.training, 1, 8);
  EXPECT_EQ(timeline.left_out, 1U);
  EXPECT_GT(timeline.thinned, Picoseconds::zero());
  EXPECT_LE(timeline.stages[0].spans.size(), 8U);
}

constexpr const char* kTraffic = R"(name = "incast"
[cluster]
gpus = 16
gpus_per_node = 1
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 4
link_rate = "400 Gb/s"
switch_latency = "900 ns"
cable = "20 m"
spines = 2
[traffic]
pattern = "incast"
size = "4 MB"
[engine]
)";

TEST(Patterns, messages_have_sizes_with_any_engine_and_rates_with_flows) {
  const Analysed flow = analysed("fidelity = \"flow\"\n", kTraffic), closed = analysed("fidelity = \"analytic\"\n", kTraffic);
  for (const Analysed* a : {&flow, &closed}) {
    ASSERT_FALSE(a->results.patterns.flow_sizes.empty());
    EXPECT_EQ(a->results.patterns.flow_sizes[0].count, 15);
    EXPECT_DOUBLE_EQ(a->results.patterns.flow_sizes[0].max, 4e6);
  }
  EXPECT_FALSE(flow.results.patterns.points.empty());
  EXPECT_TRUE(closed.results.patterns.points.empty());
}

TEST(Patterns, packets_are_sampled_where_they_leave_a_port) {
  const Analysed a = analysed("fidelity = \"packet\"\n", kTraffic);
  ASSERT_EQ(a.results.patterns.points.size(), 3U);
  const PointPattern& nic = a.results.patterns.points[0];
  EXPECT_GT(bytes_of(nic.whole), 4e6);  // headers, too
  EXPECT_LT(bytes_of(nic.whole), 4.3e6);
  for (const PointPattern& point : a.results.patterns.points)
    for (const Burstiness& b : point.resolutions) EXPECT_LE(b.peak_gbps, point.capacity_gbps * (1 + 1e-9)) << point.where;
  EXPECT_EQ(a.results.patterns.incast->max, 15U);
  EXPECT_EQ(a.results.patterns.matrix->bytes[5][0], 4e6);
  EXPECT_NEAR(a.results.patterns.volumes[0].bytes(), 15 * 4e6 / 16, 1);
}

TEST(Patterns, a_collective_by_itself_has_sizes_and_a_matrix) {
  const Analysed a = analysed("", R"(name = "ring"
[cluster]
gpus = 16
gpus_per_node = 1
[fabric]
topology = "star"
link_rate = "400 Gb/s"
switch_latency = "900 ns"
cable = "20 m"
[collective]
kind = "all_reduce"
algorithm = "ring"
sizes = ["1 MiB", "16 MiB"]
)");
  const Patterns& patterns = a.results.patterns;
  ASSERT_EQ(patterns.flow_sizes.size(), 4U);
  const double sent = 16.0 * (1 << 20) * 30 / 16;
  EXPECT_NEAR(patterns.volumes[0].bytes(), sent, 1);
  EXPECT_NEAR(patterns.volumes[0].scale_out(), sent, 1);
  for (const FlowSizes& level : patterns.flow_sizes) EXPECT_NEAR(level.bytes, 16 * sent, 1) << level.level;
  EXPECT_EQ(patterns.flow_sizes[0].max, 1 << 20);  // one of 16 chunks
  EXPECT_NEAR(patterns.matrix->bytes[15][0], sent, 1);
  EXPECT_EQ(patterns.incast->max, 1U);
  EXPECT_TRUE(patterns.points.empty());
}

}  // namespace
}  // namespace railyard
