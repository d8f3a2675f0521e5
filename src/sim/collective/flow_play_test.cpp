// Collectives over the flow engine, on fabrics without bottlenecks, take what closed forms say.
#include <gtest/gtest.h>

#include "collective/lower.h"
#include "engine/testing.h"
#include "fabric/build.h"
#include "fabric/testing.h"
#include "sim/collective/play.h"

namespace railyard {
namespace {

using Algorithm = CollectiveAlgorithm;

Picoseconds played(const Schedule& schedule, const Scenario& scenario, std::optional<FlowOptions> flow) {
  const Fabric fabric = *testing::build_fabric(scenario);
  std::vector<EndpointId> ranks;
  for (std::uint32_t p = 0; p < schedule.positions; p++) ranks.emplace_back(p * 5 % schedule.positions);  // leaves are crossed
  Telemetry telemetry(fabric.trunk_tier.size());
  const auto engine = flow ? make_flow_engine(fabric, testing::kRoceWire, path_policy_of(scenario.routing), *flow, telemetry)
                           : make_analytic_engine(fabric, testing::kRoceWire, path_policy_of(scenario.routing), telemetry);
  Progress progress;
  const Picoseconds time = play(schedule, {.ranks = ranks}, *engine, progress);
  engine->finish();
  EXPECT_EQ(telemetry.messages, schedule.messages());
  Bytes sent;
  for (const EdgeLoad& load : edge_loads(schedule)) sent += load.bytes;
  EXPECT_EQ(telemetry.payload, sent);
  return time;
}

struct Played {
  CollectiveKind kind;
  Algorithm algorithm;
};
constexpr Played kPlayed[] = {
    {CollectiveKind::all_reduce, Algorithm::ring},   {CollectiveKind::all_reduce, Algorithm::halving_doubling},
    {CollectiveKind::all_gather, Algorithm::ring},   {CollectiveKind::reduce_scatter, Algorithm::ring},
    {CollectiveKind::all_to_all, Algorithm::direct}, {CollectiveKind::broadcast, Algorithm::ring},
};

TEST(FlowPlay, collectives_on_a_fabric_without_bottlenecks_take_their_closed_form) {
  for (const auto& [kind, algorithm] : kPlayed)
    for (const RoutingPolicy policy : {RoutingPolicy::spray, RoutingPolicy::adaptive})
      for (const bool exact : {true, false}) {
        Scenario scenario = testing::leaf_spine(32, 8, 1, 400_Gbps, 500_ns, 700_ns);
        scenario.fabric.spines = 4;
        scenario.routing.policy = policy;
        const auto schedule = lower(kind, algorithm, {32}, 1_GiB, {.pipeline = 8});
        const double closed = seconds(played(*schedule, scenario, {}));
        const double flow = seconds(played(*schedule, scenario, FlowOptions{.exact = exact}));
        EXPECT_NEAR(flow / closed, 1, 0.01) << static_cast<int>(kind) << ", algorithm " << static_cast<int>(algorithm);
      }
}

TEST(FlowPlay, long_pipelines_along_trees_take_their_closed_form) {
  for (const std::uint32_t ranks : {8U, 16U, 33U, 64U}) {
    Scenario scenario = testing::leaf_spine(ranks, 8, 1, 400_Gbps, 500_ns, 700_ns);
    scenario.routing.policy = RoutingPolicy::adaptive;
    const auto schedule = lower(CollectiveKind::all_reduce, Algorithm::tree, {ranks}, 256_MiB);
    const double closed = seconds(played(*schedule, scenario, {}));
    EXPECT_NEAR(seconds(played(*schedule, scenario, FlowOptions{})) / closed, 1, 0.01) << ranks << " ranks";
  }
}

TEST(FlowPlay, a_ring_that_crosses_an_oversubscribed_fabric_is_slower_by_its_oversubscription) {
  const auto schedule = lower(CollectiveKind::all_reduce, Algorithm::ring, {32}, 1_GiB);
  const auto time = [&](double oversubscription) {
    return seconds(played(*schedule, testing::leaf_spine(32, 4, oversubscription, 400_Gbps, 500_ns, 700_ns), FlowOptions{}));
  };
  EXPECT_NEAR(time(2) / time(1), 2, 0.02);
  EXPECT_NEAR(time(4) / time(1), 4, 0.04);
}

TEST(FlowPlay, what_never_arrives_ends_the_collective_without_a_time) {
  const Fabric fabric = *testing::build_fabric(testing::star(4, 400_Gbps, 500_ns));
  Telemetry telemetry(fabric.trunk_tier.size());
  const auto engine = make_flow_engine(fabric, testing::kRoceWire, {}, {}, telemetry);
  engine->set_rate(fabric.trunk_ports[host_up_trunk(fabric, InterfaceId(2))].front(), 0_bps, 1_us);
  const auto schedule = lower(CollectiveKind::all_reduce, Algorithm::ring, {4}, 1_GiB);
  const std::vector<EndpointId> ranks = {EndpointId(0), EndpointId(1), EndpointId(2), EndpointId(3)};
  Progress progress;
  EXPECT_EQ(play(*schedule, {.ranks = ranks}, *engine, progress), Picoseconds::max());
}

}  // namespace
}  // namespace railyard
