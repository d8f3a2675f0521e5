#include "fabric/fabric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fabric/build.h"
#include "fabric/placement.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

using testing::leaf_spine;
using testing::star;

Fabric built(const Scenario& scenario) {
  Result<Fabric> fabric = build_fabric(scenario);
  EXPECT_TRUE(fabric) << (fabric ? "" : to_text(fabric.error()[0]));
  return std::move(*fabric);
}

std::string refusal(const Scenario& scenario) {
  const Result<Fabric> fabric = build_fabric(scenario);
  return fabric ? "" : fabric.error()[0].code;
}

/// Every way from one endpoint to another, hop by hop, stays inside the trunks of its path, in their order.
void expect_hops_follow_trunks(const Fabric& f, EndpointId from, EndpointId to) {
  const TrunkPath path = trunk_path(f, from, to);
  std::set<NodeId> frontier = {f.endpoint_node[from]};
  for (const TrunkId trunk : path) {
    std::set<NodeId> next;
    std::set<PortId> used;
    for (const NodeId node : frontier) {
      for (const PortId port : next_hops(f, node, to)) {
        ASSERT_EQ(f.port_from[port], node);
        ASSERT_EQ(f.port_trunk[port], trunk);
        next.insert(f.port_to[port]);
        used.insert(port);
      }
    }
    ASSERT_EQ(used.size(), f.trunk_ports[trunk].size()) << "all ports of a trunk are equal choices";
    frontier = next;
  }
  ASSERT_EQ(frontier, std::set<NodeId>{f.endpoint_node[to]});
  ASSERT_TRUE(next_hops(f, f.endpoint_node[to], to).empty());
}

TEST(Fabric, hops_and_trunks_are_two_views_of_the_same_way) {
  Scenario shapes[] = {star(5, 400_Gbps, 500_ns), leaf_spine(24, 8, 2, 400_Gbps, 500_ns),
                       leaf_spine(21, 8, 1, 400_Gbps, 500_ns)};
  shapes[2].fabric.spines = 4;
  for (const Scenario& scenario : shapes) {
    const Fabric f = built(scenario);
    for (const EndpointId from : ids(f.endpoint_node))
      for (const EndpointId to : ids(f.endpoint_node))
        if (from != to) expect_hops_follow_trunks(f, from, to);
  }
}

TEST(Fabric, every_port_lies_in_one_trunk_and_has_its_counterpart) {
  const Fabric f = built(leaf_spine(24, 8, 2, 400_Gbps, 500_ns));
  std::multiset<std::pair<NodeId, NodeId>> there, back;
  std::size_t in_trunks = 0;
  for (const TrunkId trunk : ids(f.trunk_tier))
    for (const PortId port : f.trunk_ports[trunk]) {
      EXPECT_EQ(f.port_trunk[port], trunk);
      there.insert({f.port_from[port], f.port_to[port]});
      back.insert({f.port_to[port], f.port_from[port]});
      in_trunks++;
    }
  EXPECT_EQ(in_trunks, f.port_from.size());
  EXPECT_EQ(there, back);
}

TEST(Fabric, a_leaf_spine_has_the_oversubscription_asked_for) {
  const Fabric f = built(leaf_spine(64, 16, 4, 400_Gbps, 500_ns));
  EXPECT_EQ(f.leaves, 4U);
  EXPECT_EQ(f.spines * f.links_per_spine, 4U);
  EXPECT_EQ(f.trunk_rate(trunk_path(f, EndpointId(0), EndpointId(63))[1]), 1600_Gbps);
}

TEST(Fabric, without_hosts_per_leaf_the_radix_is_filled) {
  Scenario s = leaf_spine(96, 1, 3, 100_Gbps, 500_ns);
  s.fabric.hosts_per_leaf.reset();
  s.plan.radix = 32;
  const Fabric f = built(s);
  EXPECT_EQ(f.hosts_per_leaf, 24U);
  EXPECT_EQ(f.leaves, 4U);
  EXPECT_EQ(f.spines, 1U);  // 4 leaves × 8 uplinks = 32 ports
  EXPECT_EQ(f.links_per_spine, 8U);
}

TEST(Fabric, faster_uplinks_need_fewer_of_them) {
  Scenario s = leaf_spine(32, 16, 1, 400_Gbps, 500_ns);
  s.plan.uplink_rate = 800_Gbps;
  const Fabric f = built(s);
  EXPECT_EQ(f.spines * f.links_per_spine, 8U);
}

TEST(Fabric, one_leaf_needs_no_spine) {
  const Fabric f = built(leaf_spine(16, 16, 2, 400_Gbps, 500_ns));
  EXPECT_EQ(f.spines, 0U);
  EXPECT_EQ(trunk_path(f, EndpointId(0), EndpointId(15)).size(), 2U);
}

TEST(Fabric, what_cannot_be_wired_says_what_is_short) {
  EXPECT_EQ(refusal(leaf_spine(64, 10, 3, 400_Gbps, 500_ns)), "RY-FAB-001");  // 3.33 uplinks
  Scenario s = leaf_spine(64, 16, 1, 400_Gbps, 500_ns);
  s.plan.radix = 31;
  EXPECT_EQ(refusal(s), "RY-FAB-002");
  s.fabric.hosts_per_leaf.reset();
  s.plan.radix.reset();
  EXPECT_EQ(refusal(s), "RY-FAB-003");
  s = leaf_spine(64, 16, 1, 400_Gbps, 500_ns);
  s.fabric.spines = 5;
  EXPECT_EQ(refusal(s), "RY-FAB-004");
  s = leaf_spine(64, 4, 1, 400_Gbps, 500_ns);
  s.plan.radix = 8;  // 16 leaves, spines of 8 ports
  EXPECT_EQ(refusal(s), "RY-FAB-005");
  s = star(64, 400_Gbps, 500_ns);
  s.plan.radix = 32;
  EXPECT_EQ(refusal(s), "RY-FAB-006");
}

TEST(Placement, in_order_is_the_identity) {
  const Fabric f = built(leaf_spine(8, 4, 1, 400_Gbps, 500_ns));
  const Placement p = place(PlacementPolicy::in_order, 6, f, 1);
  for (const RankId rank : ids(p)) EXPECT_EQ(p[rank].index(), rank.index());
}

TEST(Placement, round_robin_puts_neighbours_under_different_leaves) {
  const Fabric f = built(leaf_spine(12, 4, 1, 400_Gbps, 500_ns));
  const Placement p = place(PlacementPolicy::round_robin, 12, f, 1);
  for (std::uint32_t r = 0; r < 12; r++) EXPECT_NE(f.leaf_of(p[RankId(r)]), f.leaf_of(p[RankId((r + 1) % 12)]));
}

TEST(Placement, random_is_a_permutation_that_follows_the_seed) {
  const Fabric f = built(leaf_spine(64, 16, 1, 400_Gbps, 500_ns));
  const Placement a = place(PlacementPolicy::random, 64, f, 1), b = place(PlacementPolicy::random, 64, f, 1),
                  c = place(PlacementPolicy::random, 64, f, 2);
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
  EXPECT_FALSE(std::equal(a.begin(), a.end(), c.begin()));
  EXPECT_EQ(std::set<EndpointId>(a.begin(), a.end()).size(), 64U);
}

}  // namespace
}  // namespace railyard
