#include <gtest/gtest.h>

#include "engine/testing.h"
#include "fabric/build.h"
#include "fabric/testing.h"
#include "sim/slice/slice_run.h"

namespace railyard {
namespace {

constexpr double kFraming = 4178.0 / 4096;  // a full packet over its payload

/// Four hosts on a star, and what flows carried between them.
struct Bench {
  Scenario scenario = testing::star(4, 400_Gbps, 500_ns, 700_ns);
  Fabric fabric;
  Placement placement;
  PathPolicy routing;
  CarriedStep step;
  std::vector<PortChange> failures;

  Bench() {
    scenario.workload.collective.reset();
    scenario.workload.slice.emplace();
    scenario.workload.gpu.emplace().step.scale_out_share = 0.95;
    scenario.engine.fidelity = Fidelity::packet;
    scenario.packet.dcqcn.enabled = false;
    scenario.fabric.host_latency = 1_us;
    fabric = std::move(*testing::build_fabric(scenario));
    routing = path_policy_of(scenario.routing);
    for (std::uint32_t i = 0; i < 4; i++) placement.push(EndpointId(i));
  }

  QpId bundle(std::vector<Edge> edges) {
    std::vector<std::uint32_t> all = {static_cast<std::uint32_t>(edges.size())};
    step.bundles.push_back({.edges = std::move(edges), .flow_ends = std::move(all)});
    return QpId(static_cast<std::uint32_t>(step.bundles.size() - 1));
  }
  QpId ring() {
    return bundle({{EndpointId(0), EndpointId(1)},
                   {EndpointId(1), EndpointId(2)},
                   {EndpointId(2), EndpointId(3)},
                   {EndpointId(3), EndpointId(0)}});
  }
  void carried(std::string_view what, QpId connection, Bytes size, Picoseconds start, Picoseconds end, std::uint32_t steps) {
    step.collectives.push_back({.what = what,
                                .group = "data",
                                .start = start,
                                .finish = end,
                                .size = size,
                                .from = EndpointId(0),
                                .to = EndpointId(1),
                                .edges = step.bundles[connection.index()].edges.size(),
                                .connection = connection,
                                .carried = end,
                                .steps = steps});
  }

  [[nodiscard]] Network network() const {
    Network network{fabric, testing::kRoceWire, routing};
    network.packet = &scenario.packet;
    network.failures = failures;
    return network;
  }
  [[nodiscard]] Result<SlicePlan> plan() const { return plan_slice(scenario, network(), placement, step); }
  [[nodiscard]] SliceRun run() const {
    Progress progress;
    Result<SliceRun> result = run_slice(scenario, network(), placement, step, kMemoryLimit, progress);
    EXPECT_TRUE(result) << (result ? "" : to_text(result.error().front()));
    return std::move(*result);
  }
};

PortId only_port(const Fabric& fabric, std::uint32_t host) {
  return fabric.trunk_ports[host_up_trunk(fabric, InterfaceId(host))].front();
}

TEST(Slice, without_a_name_it_is_what_moves_most_from_where_that_starts) {
  Bench bench;
  const QpId ring = bench.ring(), pair = bench.bundle({{EndpointId(0), EndpointId(2)}});
  bench.carried("boundary", pair, 1_MiB, 10_us, 40_us, 1);
  bench.carried("gradients", ring, 3_MiB, 50_us, 130_us, 3);
  const auto plan = bench.plan();
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->from, 50_us);
  EXPECT_EQ(plan->to, 250_us);
  ASSERT_EQ(plan->collectives.size(), 1U);
  const SlicedCollective& one = plan->collectives[0];
  EXPECT_EQ(one.what, "gradients");
  EXPECT_EQ(one.pieces.per_step, 8U);
  EXPECT_EQ(one.pieces.count, 48U);
  for (std::uint32_t i = 0; i < 4; i++) {
    EXPECT_EQ(one.edges[i].place.after, (i + 1) % 4);
    EXPECT_EQ(one.edges[i].place.before, (i + 3) % 4);
    EXPECT_EQ(one.up_to(one.edges[i], one.pieces.count), 3_MiB);
  }
  EXPECT_EQ(plan->others, 0U);
  EXPECT_TRUE(plan->taken.empty());
}

TEST(Slice, what_is_not_selected_takes_its_mean_rate_over_the_window) {
  Bench bench;
  const QpId ring = bench.ring(), pair = bench.bundle({{EndpointId(0), EndpointId(2)}});
  bench.carried("gradients", ring, 3_MiB, 0_us, 100_us, 3);
  bench.carried("boundary", pair, Bytes(1'000'000), 50_us, 250_us, 1);  // three quarters of it in the window
  bench.scenario.workload.slice->collectives = {"gradients"};
  const auto plan = bench.plan();
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->others, 1U);
  const double expected = 0.75e6 * 8 * kFraming / 200e-6;
  EXPECT_NEAR(static_cast<double>(plan->taken[only_port(bench.fabric, 0).index()].count()), expected, 10);
  EXPECT_EQ(plan->taken[only_port(bench.fabric, 1).index()], 0_Gbps);
}

TEST(Slice, a_collective_in_progress_goes_on_from_where_it_was) {
  Bench bench;
  bench.carried("gradients", bench.ring(), 3_MiB, 0_us, 100_us, 3);
  bench.scenario.workload.slice->from = 50_us;
  const auto plan = bench.plan();
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->collectives[0].first, 24U);
  const SliceRun run = bench.run();
  for (const SlicedEdgeRun& edge : run.edges[0]) EXPECT_EQ(edge.arrived, 48U);
  EXPECT_EQ(run.traffic.messages.size(), 4U * 24);
}

TEST(Slice, ranks_keep_the_groups_they_are_in) {
  Bench bench;
  const QpId pairs = bench.bundle({{EndpointId(0), EndpointId(1)}, {EndpointId(2), EndpointId(3)}});
  bench.step.bundles[pairs.index()].flow_ends = {1, 2};
  bench.carried("gradients", pairs, 1_MiB, 0_us, 100_us, 1);
  bench.scenario.workload.slice->ranks = {3};
  const auto plan = bench.plan();
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->lines.size(), 1U);
  EXPECT_EQ(plan->lines[0].from, EndpointId(2));
  EXPECT_EQ(plan->lines[0].qp_indices->local, 0U);
  EXPECT_EQ(plan->others, 1U);
  EXPECT_GT(plan->taken[only_port(bench.fabric, 0).index()], 40_Gbps);
  EXPECT_EQ(plan->taken[only_port(bench.fabric, 2).index()], 0_Gbps);
}

/// When the last edge was done.
Picoseconds end_of(const SliceRun& run) {
  Picoseconds last;
  for (const SlicedEdgeRun& edge : run.edges[0]) {
    EXPECT_EQ(edge.arrived, run.plan.collectives[0].pieces.count);
    last = std::max(last, edge.last);
  }
  return last;
}

constexpr double kRingOnTheWire = 6.0 * 1024 * 1024 * kFraming * 8 / 400e9;  // of 6 MiB at 400 Gb/s

TEST(Slice, a_ring_alone_takes_what_its_edges_take_without_a_gap) {
  Bench bench;
  bench.carried("gradients", bench.ring(), 6_MiB, 0_us, 140_us, 3);
  const double time = seconds(end_of(bench.run()));
  EXPECT_GT(time, kRingOnTheWire);
  EXPECT_LT(time, kRingOnTheWire * 1.05 + 5e-6);
}

TEST(Slice, background_makes_it_slower) {
  Bench bench;
  const QpId ring = bench.ring(), pair = bench.bundle({{EndpointId(0), EndpointId(2)}});
  bench.carried("gradients", ring, 6_MiB, 0_us, 280_us, 3);
  bench.carried("boundary", pair, Bytes(10'000'000), 0_us, 400_us, 1);  // half of host 0's link
  bench.scenario.workload.slice = {.collectives = {"gradients"}, .ranks = {}, .from = {}, .length = 400_us};
  const double time = seconds(end_of(bench.run()));
  EXPECT_GT(time, kRingOnTheWire * 1.9);
  EXPECT_LT(time, kRingOnTheWire * 2.2);
}

TEST(Slice, background_leaves_what_selected_collectives_had_beside_it) {
  Bench bench;
  const QpId ring = bench.ring(), pair = bench.bundle({{EndpointId(0), EndpointId(2)}});
  bench.carried("gradients", ring, 6_MiB, 0_us, 280_us, 3);  // 180 Gb/s
  bench.carried("boundary", pair, Bytes(19'000'000), 0_us, 400_us, 1);
  bench.scenario.workload.slice = {.collectives = {"gradients"}, .ranks = {}, .from = {}, .length = 400_us};
  const auto plan = bench.plan();
  ASSERT_TRUE(plan);
  const double left = 400e9 - static_cast<double>(plan->taken[only_port(bench.fabric, 0).index()].count());
  EXPECT_NEAR(left, 6.0 * 1024 * 1024 * 8 / 280e-6 / 0.95, 1e6);
}

TEST(Slice, a_failure_is_met_where_and_when_the_slice_sends) {
  Bench bench;
  bench.carried("gradients", bench.ring(), 6_MiB, 0_us, 300_us, 3);
  bench.scenario.workload.slice->from = 100_us;
  bench.scenario.packet.failover = {.local_repair = 5_us, .convergence = 50_us};
  const PortId first = only_port(bench.fabric, 0);
  const auto plan_with = [&](std::vector<PortChange> changes) {
    bench.failures = std::move(changes);
    const auto plan = bench.plan();
    EXPECT_TRUE(plan);
    return *plan;
  };
  // Mended before, fails after, has failed long ago, has just failed, fails in between.
  EXPECT_TRUE(plan_with({{first, 100_Gbps, 10_us}, {first, 400_Gbps, 20_us}}).failures.empty());
  EXPECT_FALSE(plan_with({{first, 100_Gbps, 300_us}}).has_failures);
  EXPECT_EQ(plan_with({{first, 100_Gbps, 40_us}}).failures, (std::vector<PortChange>{{first, 100_Gbps, 0_us}}));
  EXPECT_EQ(plan_with({{first, 100_Gbps, 70_us}}).failures, (std::vector<PortChange>{{first, 100_Gbps, Picoseconds(1)}}));
  const SlicePlan between = plan_with({{first, 100_Gbps, 130_us}});
  EXPECT_EQ(between.failures, (std::vector<PortChange>{{first, 100_Gbps, 30_us}}));
  EXPECT_TRUE(between.has_failures);
  const PortId elsewhere = only_port(bench.fabric, 3);
  bench.scenario.workload.slice->ranks = {0};
  bench.step.bundles[0] = {.edges = {{EndpointId(0), EndpointId(1)}, {EndpointId(2), EndpointId(3)}}, .flow_ends = {1, 2}};
  EXPECT_FALSE(plan_with({{elsewhere, 100_Gbps, 0_us}}).has_failures);
}

TEST(Slice, a_link_at_a_quarter_of_its_rate_takes_four_times_as_long) {
  Bench bench;
  bench.carried("gradients", bench.ring(), 6_MiB, 0_us, 600_us, 3);
  bench.scenario.workload.slice->length = 800_us;
  bench.failures = {{only_port(bench.fabric, 0), 100_Gbps, 0_us}};
  const double time = seconds(end_of(bench.run()));
  EXPECT_GT(time, 4 * kRingOnTheWire);
  EXPECT_LT(time, 4 * kRingOnTheWire * 1.05 + 5e-6);
}

TEST(Slice, background_goes_on_beside_a_failure) {
  Bench bench;
  const QpId ring = bench.ring(), pair = bench.bundle({{EndpointId(0), EndpointId(2)}});
  bench.carried("gradients", ring, 6_MiB, 0_us, 280_us, 3);
  bench.carried("boundary", pair, Bytes(10'000'000), 0_us, 400_us, 1);  // half of host 0's link
  bench.scenario.workload.slice = {.collectives = {"gradients"}, .ranks = {}, .from = {}, .length = 600_us};
  bench.failures = {{only_port(bench.fabric, 0), 300_Gbps, 0_us}};  // background leaves a third of it
  const double time = seconds(end_of(bench.run()));
  const double background = 10'000'000 * 8 * kFraming / 600e-6, left = 300e9 - background;
  EXPECT_NEAR(time, kRingOnTheWire * 400e9 / left, 0.1 * time);
}

TEST(Slice, nothing_selected_is_refused) {
  const auto refused = [](const auto& change) {
    Bench bench;
    bench.carried("gradients", bench.bundle({{EndpointId(0), EndpointId(1)}}), 1_MiB, 10_us, 100_us, 1);
    change(*bench.scenario.workload.slice);
    const auto plan = bench.plan();
    return plan ? std::string() : plan.error().front().code;
  };
  EXPECT_EQ(refused([](SliceSpec&) {}), "");
  EXPECT_EQ(refused([](SliceSpec& s) { s.collectives = {"dispatch"}; }), "RY-RUN-051");
  EXPECT_EQ(refused([](SliceSpec& s) { s.ranks = {4}; }), "RY-RUN-051");
  EXPECT_EQ(refused([](SliceSpec& s) { s.ranks = {3}; }), "RY-RUN-051");
  EXPECT_EQ(refused([](SliceSpec& s) { s.from = 100_us; }), "RY-RUN-051");
}

}  // namespace
}  // namespace railyard
