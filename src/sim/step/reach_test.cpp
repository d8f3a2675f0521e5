#include "sim/step/reach.h"

#include <gtest/gtest.h>

#include "fabric/build.h"
#include "fabric/testing.h"
#include "scenario/testing.h"
#include "workload/testing.h"

namespace railyard {
namespace {

/// Shares of the data-parallel ring of 64 GPUs in servers of eight, tensor-parallel inside them, on a fabric.
Reach data_ring(Scenario network, PlacementPolicy policy = PlacementPolicy::in_order) {
  const Result<Step> step = testing::build_step(testing::gpt(8, 64, "global_batch = 64", "tensor = 8"));
  network.placement.policy = policy;
  const Fabric fabric = *testing::build_fabric(network);
  const Placement placement = *place(network.placement, 64, fabric, network.keys);
  return reach_of_groups(*step, fabric, placement)[static_cast<std::size_t>(GroupKind::data)].ring;
}

TEST(Reach, rails_keep_rings_of_equal_local_ranks_under_one_leaf) {
  const Reach reach = data_ring(testing::servers(Topology::rail_optimized, 64, 8, 8, 3600_Gbps));
  EXPECT_DOUBLE_EQ(reach.leaf, 1);
  EXPECT_DOUBLE_EQ(reach.pod + reach.across, 0);
}

TEST(Reach, a_leaf_of_two_servers_holds_every_second_hop) {
  const Reach reach = data_ring(testing::servers(Topology::leaf_spine, 64, 8, 16, 3600_Gbps));
  EXPECT_DOUBLE_EQ(reach.leaf, 0.5);
  EXPECT_DOUBLE_EQ(reach.pod, 0.5);
}

TEST(Reach, pods_hold_what_the_ring_does_not_carry_over_their_edge) {
  Scenario network = testing::servers(Topology::clos3, 64, 8, 16, 3600_Gbps);
  network.fabric.hosts_per_pod = 32;
  const Reach reach = data_ring(network);  // 0-1 2-3 | 4-5 6-7: four hops under leaves, two inside pods, two between them
  EXPECT_DOUBLE_EQ(reach.leaf, 0.5);
  EXPECT_DOUBLE_EQ(reach.pod, 0.25);
  EXPECT_DOUBLE_EQ(reach.across, 0.25);
  const Reach scattered = data_ring(network, PlacementPolicy::round_robin);
  EXPECT_DOUBLE_EQ(scattered.leaf, 0);
}

TEST(Reach, rates_of_tiers_follow_the_oversubscription) {
  Scenario network = testing::servers(Topology::clos3, 64, 8, 16);
  network.fabric.hosts_per_pod = 32;
  network.fabric.oversubscription = 2;
  network.fabric.spine_oversubscription = 2;
  const TierRates rates = rates_per_gpu(*testing::build_fabric(network));
  EXPECT_DOUBLE_EQ(rates.nic, 50e9);
  EXPECT_DOUBLE_EQ(rates.leaf_up, 25e9);
  EXPECT_DOUBLE_EQ(rates.pod_up, 12.5e9);
}

TEST(Reach, what_stays_inside_a_domain_goes_nowhere) {
  const Result<Step> step = testing::build_step(testing::gpt(8, 64, "global_batch = 64", "tensor = 8"));
  const Scenario network = testing::servers(Topology::leaf_spine, 64, 8, 16, 3600_Gbps);
  const Fabric fabric = *testing::build_fabric(network);
  const auto all = reach_of_groups(*step, fabric, *place(network.placement, 64, fabric, network.keys));
  const Reach tensor = all[static_cast<std::size_t>(GroupKind::tensor)].ring;
  EXPECT_DOUBLE_EQ(tensor.leaf + tensor.pod + tensor.across, 0);
}

TEST(Reach, both_directions_of_dualpipe_reduce_together) {
  const Result<Step> step =
      testing::build_step(testing::gpt(8, 64, "global_batch = 64", "tensor = 8\npipeline = 8\nschedule = \"dualpipe\""));
  ASSERT_TRUE(step.has_value());
  const Scenario network = testing::servers(Topology::leaf_spine, 64, 8, 16, 3600_Gbps);
  const Fabric fabric = *testing::build_fabric(network);
  const auto all = reach_of_groups(*step, fabric, *place(network.placement, 64, fabric, network.keys));
  const Reach data = all[static_cast<std::size_t>(GroupKind::data)].ring;  // stages 0 and 7, 1 and 6: under other leaves
  EXPECT_DOUBLE_EQ(data.leaf + data.pod, 1);
  EXPECT_GT(data.pod, 0.5);
}

TEST(Reach, without_spines_between_rails_traffic_enters_at_the_right_one) {
  const Result<Step> step = testing::build_step(testing::gpt(8, 64, "global_batch = 64", "tensor = 1"));
  Scenario network = testing::servers(Topology::rail_only, 64, 8, 8, 3600_Gbps);
  const Fabric fabric = *testing::build_fabric(network);
  const auto all = reach_of_groups(*step, fabric, *place(network.placement, 64, fabric, network.keys));
  const Reach ring = all[static_cast<std::size_t>(GroupKind::data)].ring;  // crosses from the last GPU to the first of the next
  EXPECT_DOUBLE_EQ(ring.leaf, 1);
}

}  // namespace
}  // namespace railyard
