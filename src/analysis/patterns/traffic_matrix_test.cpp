#include "analysis/patterns/traffic_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/fabric_map.h"
#include "analysis/patterns/incast.h"
#include "analysis/patterns/load_spread.h"
#include "analysis/tier_loads.h"
#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

Placement in_order(std::uint32_t ranks) {
  Placement placement;
  for (std::uint32_t i = 0; i < ranks; i++) placement.push(EndpointId(i));
  return placement;
}

Bundle ring(std::uint32_t n, std::uint32_t stride = 1) {
  Bundle bundle;
  for (std::uint32_t i = 0; i < n; i++) bundle.edges.push_back({EndpointId(i), EndpointId((i + stride) % n), 1});
  return bundle;
}

Bundle all_to_all(std::uint32_t n) {
  Bundle bundle;
  for (std::uint32_t i = 0; i < n; i++)
    for (std::uint32_t j = 0; j < n; j++)
      if (i != j) bundle.edges.push_back({EndpointId(i), EndpointId(j), 1});
  return bundle;
}

Bundle many_to_one(std::uint32_t n) {
  Bundle bundle;
  for (std::uint32_t i = 1; i <= n; i++) bundle.edges.push_back({EndpointId(i), EndpointId(0), 1});
  return bundle;
}

TEST(TrafficMatrix, a_ring_is_one_line_beside_the_diagonal) {
  const Fabric fabric = *testing::build_fabric(testing::star(8, 400_Gbps, 500_ns));
  const std::vector<Bundle> bundles = {ring(8)};
  const auto matrix = traffic_matrix(fabric, in_order(8), bundles, {1000});
  ASSERT_TRUE(matrix);
  EXPECT_EQ(matrix->level, "ranks");
  EXPECT_EQ(matrix->labels[3], "rank 3");
  for (std::size_t i = 0; i < 8; i++)
    for (std::size_t j = 0; j < 8; j++) EXPECT_EQ(matrix->bytes[i][j], j == (i + 1) % 8 ? 1000 : 0);
}

TEST(TrafficMatrix, ranks_are_rows_wherever_they_sit) {
  const Fabric fabric = *testing::build_fabric(testing::star(4, 400_Gbps, 500_ns));
  Placement backwards;
  for (std::uint32_t i = 0; i < 4; i++) backwards.push(EndpointId(3 - i));
  const std::vector<Bundle> bundles = {{.edges = {{EndpointId(3), EndpointId(0), 0.5}}}};
  EXPECT_EQ(traffic_matrix(fabric, backwards, bundles, {10})->bytes[0][3], 5);
}

TEST(TrafficMatrix, large_jobs_are_shown_by_nodes_leaves_or_blocks) {
  struct Case {
    std::uint32_t gpus, per_node, per_leaf;
    const char* level;
    std::size_t size;
  };
  for (const Case& c :
       {Case{128, 8, 16, "nodes", 16}, Case{512, 4, 32, "leaves", 16}, Case{1024, 4, 512, "blocks of 4 nodes", 64}}) {
    const Fabric fabric = *testing::build_fabric(testing::servers(Topology::leaf_spine, c.gpus, c.per_node, c.per_leaf));
    const std::vector<Bundle> bundles = {ring(c.gpus)};
    const auto matrix = traffic_matrix(fabric, in_order(c.gpus), bundles, {1});
    ASSERT_TRUE(matrix);
    EXPECT_EQ(matrix->level, c.level);
    EXPECT_EQ(matrix->labels.size(), c.size);
    double sum = 0;
    for (const auto& row : matrix->bytes)
      for (const double bytes : row) sum += bytes;
    EXPECT_DOUBLE_EQ(sum, c.gpus);
  }
}

WireTraffic calls_of(std::vector<WireCall> calls) { return {.rows = {"x"}, .calls = std::move(calls), .time = 100_us}; }

TEST(Incast, of_an_all_to_all_is_everybody_else) {
  const std::vector<Bundle> bundles = {all_to_all(8)};
  const auto incast = incast_of(bundles, calls_of({{0, 0, 0_us, 10_us, 100}}));
  ASSERT_TRUE(incast);
  EXPECT_EQ(incast->max, 7U);
  EXPECT_DOUBLE_EQ(incast->mean, 7);
  EXPECT_EQ(incast->receivers, 8U);
  ASSERT_EQ(incast->degrees.size(), 1U);
  EXPECT_EQ(incast->degrees[0].bytes, 8 * 7 * 100);
}

TEST(Incast, of_many_to_one_and_a_ring_is_weighted_by_bytes) {
  const std::vector<Bundle> bundles = {many_to_one(15), ring(16)};
  const auto incast = incast_of(bundles, calls_of({{0, 0, 0_us, 10_us, 100}, {1, 0, 20_us, 30_us, 100}}));
  EXPECT_EQ(incast->max, 15U);
  EXPECT_DOUBLE_EQ(incast->mean, (15.0 * 15 + 16) / 31);
  ASSERT_EQ(incast->degrees.size(), 2U);
  EXPECT_EQ(incast->degrees[0].receivers, 15U);
  EXPECT_EQ(incast->degrees[1].receivers, 1U);
  EXPECT_EQ(incast->degrees[1].bytes, 1500);
  EXPECT_EQ(incast->overlapping->max, 15U);  // one after the other
}

TEST(Incast, calls_that_overlap_add_up_and_calls_of_one_bundle_wait_for_each_other) {
  const std::vector<Bundle> bundles = {ring(4), ring(4, 2)};
  const auto incast = incast_of(bundles, calls_of({{0, 0, 0_us, 10_us, 1}, {0, 0, 5_us, 20_us, 1}, {1, 0, 10_us, 20_us, 1}}));
  EXPECT_EQ(incast->max, 1U);
  ASSERT_TRUE(incast->overlapping);
  EXPECT_EQ(incast->overlapping->max, 2U);
  EXPECT_DOUBLE_EQ(incast->overlapping->mean, 1.5);
}

TEST(Incast, of_messages_counts_those_in_flight_at_a_time) {
  std::vector<Bundle> bundles;
  for (std::uint32_t i = 1; i <= 3; i++) bundles.push_back({.edges = {{EndpointId(i), EndpointId(0), 1}}});
  // Two connections at once, one of them with a second message that waits for the first; the third comes later.
  const auto incast = incast_of_messages(
      bundles,
      calls_of({{0, 0, 0_us, 10_us, 100}, {0, 0, 0_us, 20_us, 100}, {1, 0, 0_us, 20_us, 100}, {2, 0, 20_us, 30_us, 50}}));
  ASSERT_TRUE(incast);
  EXPECT_EQ(incast->max, 2U);
  EXPECT_EQ(incast->receivers, 1U);
  ASSERT_EQ(incast->degrees.size(), 2U);
  EXPECT_NEAR(incast->degrees[0].bytes, 50, 1e-9);
  EXPECT_NEAR(incast->degrees[1].bytes, 300, 1e-9);
  EXPECT_NEAR(incast->mean, 650.0 / 350, 1e-9);
}

TEST(FabricMap, shows_everything_of_a_small_fabric_and_marks_the_busiest_links) {
  const Fabric fabric = *testing::build_fabric(testing::leaf_spine(24, 8, 1, 400_Gbps, 500_ns));
  Telemetry telemetry(fabric.trunk_tier.size());
  telemetry.count_ports(fabric.port_from.size());
  std::vector<PortId> up;
  for (const PortId port : ids(fabric.port_from))
    if (fabric.trunk_tier[fabric.port_trunk[port]] == Tier::leaf_up) up.push_back(port);
  telemetry.port_carried[up[5]] = Bytes(25'000);  // half of what 400 Gb/s carry in 1 us
  const FabricMap map = fabric_map(fabric, carried_by_ports(fabric, telemetry), 1_us);
  EXPECT_TRUE(map.left_out.empty());
  EXPECT_EQ(map.nodes.size(), 3 + fabric.count(NodeKind::spine) + 3);
  std::size_t worst = 0;
  for (const FabricMap::Link& link : map.links) {
    if (!link.worst) continue;
    worst++;
    EXPECT_DOUBLE_EQ(link.up, 0.5);
    EXPECT_EQ(link.down, 0);
    EXPECT_DOUBLE_EQ(link.peak, 0.5);
    EXPECT_EQ(map.nodes[link.from].kind, "leaf");
    EXPECT_EQ(map.nodes[link.to].kind, "spine");
  }
  EXPECT_EQ(worst, 1U);
  ASSERT_EQ(map.histogram.size(), 4U);
  EXPECT_EQ(map.histogram[1].tier, "leaf to spine");
  EXPECT_DOUBLE_EQ(map.histogram[1].bins[5], 1.0 / static_cast<double>(map.histogram[1].ports));
}

TEST(FabricMap, tells_the_load_of_every_switch_shown_or_not) {
  const Fabric fabric = *testing::build_fabric(testing::leaf_spine(320, 8, 1, 400_Gbps, 500_ns));
  Telemetry telemetry(fabric.trunk_tier.size());
  telemetry.count_ports(fabric.port_from.size());
  std::size_t uplinks = 0;
  for (const PortId port : ids(fabric.port_from)) {
    if (fabric.trunk_tier[fabric.port_trunk[port]] != Tier::leaf_up || end_name(fabric, fabric.port_from[port]) != "leaf 33")
      continue;
    telemetry.port_carried[port] = Bytes(uplinks++ == 0 ? 50'000 : 25'000);  // all, and half, of what 400 Gb/s carry in 1 us
  }
  ASSERT_EQ(uplinks, 8U);
  const FabricMap map = fabric_map(fabric, carried_by_ports(fabric, telemetry), 1_us);
  ASSERT_EQ(map.switches.size(), 2U);
  const FabricMap::Switches& leaves = map.switches[0];
  EXPECT_EQ(leaves.kind, "leaf");
  EXPECT_TRUE(leaves.names.empty());  // leaf 0, leaf 1, …
  ASSERT_EQ(leaves.up.size(), 40U);
  EXPECT_DOUBLE_EQ(leaves.up[33], (1 + 7 * 0.5) / 8);
  EXPECT_DOUBLE_EQ(leaves.peak[33], 1);
  EXPECT_EQ(leaves.down[33], 0);
  EXPECT_EQ(leaves.up[32], 0);
  EXPECT_EQ(map.switches[1].kind, "spine");
  EXPECT_TRUE(map.switches[1].up.empty());  // nothing is above
  EXPECT_GT(map.switches[1].down[0], 0);
}

TEST(LoadSpread, adds_nics_up_to_servers_rails_and_the_fabric) {
  const Fabric fabric = *testing::build_fabric(testing::servers(Topology::rail_optimized, 64, 4, 8, 3600_Gbps));
  Telemetry telemetry(fabric.trunk_tier.size());
  for (std::uint32_t nic = 0; nic < 64; nic++) telemetry.trunk_carried[host_up_trunk(fabric, InterfaceId(nic))] = Bytes(1000);
  telemetry.trunk_carried[host_up_trunk(fabric, InterfaceId(9))] = Bytes(5000);
  const std::vector<LoadSpread> loads = load_spreads(fabric, carried_by_ports(fabric, telemetry), 1_us);
  ASSERT_GE(loads.size(), 4U);
  EXPECT_EQ(loads[0].of, "NIC");
  EXPECT_EQ(loads[0].count, 64U);
  EXPECT_DOUBLE_EQ(loads[0].capacity_gbps, 400);
  EXPECT_NEAR(loads[0].gbps.p50, 8, 1e-9);
  EXPECT_NEAR(loads[0].gbps.max, 40, 1e-9);
  EXPECT_EQ(loads[0].busiest, "GPU 9");
  EXPECT_EQ(loads[1].of, "server");
  EXPECT_EQ(loads[1].count, 16U);
  EXPECT_NEAR(loads[1].gbps.max, 64, 1e-9);
  EXPECT_EQ(loads[1].busiest, "server 2");
  EXPECT_EQ(loads[2].of, "rail");
  EXPECT_EQ(loads[2].count, 4U);
  EXPECT_EQ(loads[2].busiest, "rail 1");
  EXPECT_EQ(loads.back().of, "fabric");
  EXPECT_NEAR(loads.back().gbps.max, 68 * 8, 1e-9);
}

TEST(LoadSpread, a_nic_of_the_server_is_no_rail_of_gpus) {
  Scenario scenario = testing::servers(Topology::rail_optimized, 64, 4, 4, 3600_Gbps);
  scenario.fabric.host_nics = 1;
  const Fabric fabric = *testing::build_fabric(scenario);
  Telemetry telemetry(fabric.trunk_tier.size());
  for (std::uint32_t nic = 2; nic < 64; nic += 4)
    telemetry.trunk_carried[host_up_trunk(fabric, InterfaceId(nic))] = Bytes(1000);
  const std::vector<RailLoad> rails = rail_loads(fabric, telemetry, 1_us);
  ASSERT_EQ(rails.size(), 4U);
  for (const RailLoad& rail : rails) EXPECT_EQ(rail.sent, Bytes(rail.rail == 2 ? 16'000 : 0));
  EXPECT_EQ(load_spreads(fabric, carried_by_ports(fabric, telemetry), 1_us)[2].busiest, "rail 2");
}

TEST(FabricMap, stays_small_and_joined_for_every_shape) {
  for (const Scenario& shape : testing::shapes()) {
    const Fabric fabric = *testing::build_fabric(shape);
    Telemetry telemetry(fabric.trunk_tier.size());
    for (const TrunkId trunk : ids(fabric.trunk_tier)) telemetry.trunk_carried[trunk] = Bytes(1000 + trunk.index());
    const FabricMap map = fabric_map(fabric, carried_by_ports(fabric, telemetry), 10_us);
    EXPECT_FALSE(map.links.empty());
    EXPECT_LE(map.nodes.size(), 60U);
    EXPECT_LE(map.links.size(), 400U);
    std::vector<bool> joined(map.nodes.size(), false);
    for (const FabricMap::Link& link : map.links) joined[link.from] = joined[link.to] = true;
    EXPECT_EQ(std::count(joined.begin(), joined.end(), false), 0) << name_of(fabric.topology);
  }
}

}  // namespace
}  // namespace railyard
