#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fabric/testing.h"
#include "tools/place/anneal.h"
#include "tools/place/partition.h"

namespace railyard {
namespace {

using Indices = std::vector<std::uint32_t>;

/// Sixteen servers of two GPUs, four below each of four leaves, a quarter of their bandwidth above.
ServerTree sixteen_servers() {
  Scenario s = testing::star(32, 400_Gbps, 500_ns, 300_ns);
  s.fabric.topology = Topology::leaf_spine;
  s.fabric.hosts_per_leaf = 8;
  s.fabric.spines = 2;
  s.fabric.per_node = s.fabric.interfaces_per_node = 2;
  return tree_of(testing::built(s));
}

/// Units of which every fourth ones talk to each other: four groups of four.
UnitGraph four_groups() {
  UnitGraph graph(16);
  for (std::uint32_t a = 0; a < 16; a++)
    for (std::uint32_t b = a % 4; b < 16; b += 4)
      if (a != b) graph[a].push_back({b, GroupKind::expert, 1e9, 1e9});
  return graph;
}

KindWeights all_alike() {
  KindWeights weights;
  weights.fill(1);
  return weights;
}

Indices in_order() {
  Indices servers(16);
  for (std::uint32_t i = 0; i < 16; i++) servers[i] = i;
  return servers;
}

double cost_of(const Indices& servers) {
  const UnitGraph graph = four_groups();
  const ServerTree tree = sixteen_servers();
  LinkCost cost(graph, tree, all_alike());
  cost.seat(servers);
  return cost.cost();
}

TEST(LinkCost, nothing_crosses_where_groups_share_a_leaf) {
  Indices together(16);
  for (std::uint32_t unit = 0; unit < 16; unit++) together[unit] = unit % 4 * 4 + unit / 4;
  EXPECT_EQ(cost_of(together), 0);
}

TEST(LinkCost, counts_bytes_over_the_rate_of_uplinks) {
  const ServerTree tree = sixteen_servers();
  // Every unit sends 1 GB to each of three others, all elsewhere: 12 GB leave a leaf and enter it. Four leaves, two directions.
  const double seconds = 12e9 / tree.rate[tree.block(0, 0)];
  EXPECT_NEAR(cost_of(in_order()), seconds * std::pow(8, 0.25), seconds * 1e-9);
}

TEST(LinkCost, a_move_counts_as_seating_all_anew) {
  const UnitGraph graph = four_groups();
  const ServerTree tree = sixteen_servers();
  LinkCost cost(graph, tree, all_alike());
  cost.seat(in_order());
  cost.move(0, 5);
  cost.move(5, 0);
  Indices swapped = in_order();
  std::swap(swapped[0], swapped[5]);
  EXPECT_EQ(cost.servers(), swapped);
  EXPECT_NEAR(cost.cost(), cost_of(swapped), 1e-9);
}

TEST(Partition, finds_groups_and_gives_every_unit_a_server) {
  const Indices seats = partition_units(four_groups(), all_alike(), sixteen_servers(), in_order());
  EXPECT_EQ(std::set<std::uint32_t>(seats.begin(), seats.end()).size(), 16U);
  EXPECT_EQ(cost_of(seats), 0);
}

TEST(Partition, fits_uneven_leaves_exactly_and_always_alike) {
  UnitGraph graph = four_groups();
  graph.resize(7);
  for (auto& edges : graph) std::erase_if(edges, [](const UnitEdge& edge) { return edge.other >= 7; });
  const Indices servers = {0, 4, 5, 6, 8, 9, 15};
  const Indices seats = partition_units(graph, all_alike(), sixteen_servers(), servers);
  Indices sorted = seats;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, servers);
  for (int i = 0; i < 5; i++) EXPECT_EQ(partition_units(graph, all_alike(), sixteen_servers(), servers), seats);
}

TEST(Anneal, is_never_worse_and_depends_on_the_seed_alone) {
  const UnitGraph graph = four_groups();
  const ServerTree tree = sixteen_servers();
  const Indices better = anneal(graph, all_alike(), tree, in_order(), in_order(), 3);
  EXPECT_LT(cost_of(better), cost_of(in_order()) / 2);
  EXPECT_EQ(anneal(graph, all_alike(), tree, in_order(), in_order(), 3), better);
  EXPECT_EQ(std::set<std::uint32_t>(better.begin(), better.end()).size(), 16U);
}

}  // namespace
}  // namespace railyard
