#include "fabric/fabric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "fabric/build.h"
#include "fabric/placement.h"
#include "fabric/routes.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

using testing::leaf_spine;
using testing::servers;
using testing::shapes;
using testing::star;

Placement placed(PlacementPolicy policy, std::uint32_t ranks, const Fabric& fabric, std::uint64_t seed) {
  Result<Placement> placement = place({.policy = policy, .seats = {}, .seed = seed}, ranks, fabric, {});
  EXPECT_TRUE(placement);
  return std::move(*placement);
}

/// Of a leaf block.
std::uint32_t uplinks(const Fabric& f) { return f.trunk_ports[f.blocks[BlockId(0)].up].size(); }

std::string refusal(const Scenario& scenario) {
  const Result<Fabric> fabric = testing::build_fabric(scenario);
  return fabric ? "" : fabric.error()[0].code;
}

/// Every path from one endpoint to another, hop by hop, stays inside the trunks of its path, in their order.
void expect_hops_follow_trunks(const Fabric& f, EndpointId from, EndpointId to) {
  const TrunkPath path = path_of(f, from, to);
  std::set<NodeId> frontier = {f.node_of(from)};
  for (std::size_t i = 0; i < path.size();) {
    std::set<TrunkId> trunks;
    const std::uint32_t hop = path[i].hop;
    double share = 0;
    for (; i < path.size() && path[i].hop == hop; i++) {
      trunks.insert(path[i].trunk);
      share += path[i].share;
    }
    ASSERT_NEAR(share, 1, 1e-9) << "all of a message takes every hop";
    std::set<NodeId> next;
    std::set<PortId> used;
    for (const NodeId node : frontier) {
      const Hops hops = next_hops(f, node, to);
      for (std::uint32_t h = 0; h < hops.size(); h++) {
        ASSERT_EQ(f.port_from[hops[h]], node);
        ASSERT_TRUE(trunks.contains(f.port_trunk[hops[h]]));
        next.insert(f.port_to[hops[h]]);
        used.insert(hops[h]);
      }
    }
    std::size_t ports = 0;
    for (const TrunkId trunk : trunks) ports += f.trunk_ports[trunk].size();
    ASSERT_EQ(used.size(), ports) << "all ports of a trunk are equal choices";
    frontier = next;
  }
  ASSERT_EQ(frontier, std::set<NodeId>{f.node_of(to)});
  ASSERT_TRUE(next_hops(f, f.node_of(to), to).empty());
}

TEST(Fabric, hops_and_trunks_are_two_views_of_the_same_path) {
  for (const Scenario& scenario : shapes()) {
    SCOPED_TRACE(name_of(scenario.fabric.topology));
    const Fabric f = testing::built(scenario);
    for (std::uint32_t from = 0; from < f.endpoints(); from++)
      for (std::uint32_t to = 0; to < f.endpoints(); to++)
        if (from != to) expect_hops_follow_trunks(f, EndpointId(from), EndpointId(to));
  }
}

TEST(Fabric, every_port_lies_in_one_trunk_and_has_its_counterpart) {
  for (const Scenario& scenario : shapes()) {
    SCOPED_TRACE(name_of(scenario.fabric.topology));
    const Fabric f = testing::built(scenario);
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
}

/// Ports of every switch stay within a radix that the builder was told of.
TEST(Fabric, no_switch_has_more_links_than_ports) {
  for (Scenario scenario : shapes()) {
    SCOPED_TRACE(name_of(scenario.fabric.topology));
    scenario.fabric.radix = 48;
    const Fabric f = testing::built(scenario);
    std::map<NodeId, std::uint32_t> links;
    for (const PortId port : ids(f.port_from)) links[f.port_from[port]]++;
    for (const auto& [node, count] : links) {
      const bool network = f.kind[node] != NodeKind::host && f.kind[node] != NodeKind::scale_up;
      EXPECT_TRUE(!network || count <= 48U) << name_of(f.kind[node]) << " with " << count;
    }
  }
}

TEST(Fabric, a_leaf_spine_has_the_oversubscription_asked_for) {
  const Fabric f = testing::built(leaf_spine(64, 16, 4, 400_Gbps, 500_ns));
  EXPECT_EQ(f.count(NodeKind::leaf), 4U);
  EXPECT_EQ(uplinks(f), 4U);
  EXPECT_EQ(f.trunk_rate(path_of(f, EndpointId(0), EndpointId(63))[1].trunk), 1600_Gbps);
}

TEST(Fabric, without_hosts_per_leaf_the_radix_is_filled) {
  Scenario s = leaf_spine(96, 1, 3, 100_Gbps, 500_ns);
  s.fabric.hosts_per_leaf.reset();
  s.fabric.radix = 32;
  const Fabric f = testing::built(s);
  EXPECT_EQ(f.leaf_of(EndpointId(23)), f.leaf_of(EndpointId(0)));
  EXPECT_NE(f.leaf_of(EndpointId(24)), f.leaf_of(EndpointId(0)));
  EXPECT_EQ(f.count(NodeKind::leaf), 4U);
  EXPECT_EQ(f.count(NodeKind::spine), 1U);  // 4 leaves × 8 uplinks = 32 ports
  EXPECT_EQ(uplinks(f), 8U);
}

/// Interfaces under each leaf.
std::vector<std::uint32_t> under_leaves(const Fabric& f) {
  std::vector<std::uint32_t> under(f.count(NodeKind::leaf), 0);
  for (const BlockId leaf : f.leaf) under[leaf.index()]++;
  return under;
}

/// Servers of 8 under switches of 128 ports, two links below a leaf for one above.
Scenario two_to_one(Topology topology, std::uint32_t server_count) {
  Scenario s = servers(topology, server_count * 8, 8, 1);
  s.fabric.hosts_per_leaf.reset();
  s.fabric.oversubscription = 2;
  s.fabric.radix = 128;
  return s;
}

TEST(Fabric, without_hosts_per_leaf_servers_are_spread_evenly_over_the_leaves_it_takes) {
  const Fabric f =
      testing::built(two_to_one(Topology::rail_optimized, 96));  // full leaves would have 84 NICs and 12, all with 42 uplinks
  EXPECT_EQ(under_leaves(f), std::vector<std::uint32_t>(16, 48));
  EXPECT_EQ(uplinks(f), 24U);
  EXPECT_EQ(f.count(NodeKind::spine), 3U);
}

TEST(Fabric, leaves_that_servers_do_not_fill_alike_differ_by_one_server) {
  std::vector<std::uint32_t> expected(10, 72);
  std::fill_n(expected.begin(), 6, 80);
  EXPECT_EQ(under_leaves(testing::built(two_to_one(Topology::leaf_spine, 96))), expected);
}

TEST(Fabric, uplinks_round_up_to_what_a_few_spines_share_evenly) {
  const Fabric f = testing::built(two_to_one(Topology::rail_optimized, 92));
  EXPECT_EQ(under_leaves(f), std::vector<std::uint32_t>(16, 46));
  EXPECT_EQ(uplinks(f), 24U);  // 23 would take 23 spines
  EXPECT_EQ(f.count(NodeKind::spine), 3U);
}

TEST(Fabric, hosts_per_leaf_that_are_given_stay) {
  Scenario s = two_to_one(Topology::rail_optimized, 96);
  s.fabric.hosts_per_leaf = 84;
  std::vector<std::uint32_t> expected(16, 84);
  std::fill_n(expected.begin() + 8, 8, 12);
  EXPECT_EQ(under_leaves(testing::built(s)), expected);
}

TEST(Fabric, faster_uplinks_need_fewer_of_them) {
  Scenario s = leaf_spine(32, 16, 1, 400_Gbps, 500_ns);
  s.fabric.uplink_rate = 800_Gbps;
  const Fabric f = testing::built(s);
  EXPECT_EQ(uplinks(f), 8U);
}

TEST(Fabric, one_leaf_needs_no_spine) {
  const Fabric f = testing::built(leaf_spine(16, 16, 2, 400_Gbps, 500_ns));
  EXPECT_EQ(f.count(NodeKind::spine), 0U);
  EXPECT_EQ(path_of(f, EndpointId(0), EndpointId(15)).size(), 2U);
}

TEST(Fabric, what_cannot_be_wired_says_what_is_short) {
  EXPECT_EQ(refusal(leaf_spine(64, 10, 3, 400_Gbps, 500_ns)), "RY-FAB-001");  // 3.33 uplinks
  Scenario s = leaf_spine(64, 16, 1, 400_Gbps, 500_ns);
  s.fabric.radix = 31;
  EXPECT_EQ(refusal(s), "RY-FAB-002");
  s.fabric.hosts_per_leaf.reset();
  s.fabric.radix.reset();
  EXPECT_EQ(refusal(s), "RY-FAB-003");
  s = leaf_spine(64, 16, 1, 400_Gbps, 500_ns);
  s.fabric.spines = 5;
  EXPECT_EQ(refusal(s), "RY-FAB-004");
  s = leaf_spine(64, 4, 1, 400_Gbps, 500_ns);
  s.fabric.radix = 8;  // 16 leaves, spines of 8 ports
  EXPECT_EQ(refusal(s), "RY-FAB-005");
  s = star(64, 400_Gbps, 500_ns);
  s.fabric.radix = 32;
  EXPECT_EQ(refusal(s), "RY-FAB-006");
}

TEST(Fabric, a_fat_tree_of_k_ports_has_a_quarter_of_k_cubed_hosts) {
  Scenario s = servers(Topology::fat_tree, 8 * 8 * 8 / 4, 1, 1);
  s.fabric.hosts_per_leaf.reset();
  s.fabric.radix = 8;
  const Fabric f = testing::built(s);
  EXPECT_EQ(f.count(NodeKind::leaf), 32U);
  EXPECT_EQ(f.count(NodeKind::spine), 32U);
  EXPECT_EQ(f.count(NodeKind::core), 16U);
  EXPECT_EQ(path_of(f, EndpointId(0), EndpointId(127)).size(), 6U);
  s.fabric.endpoints++;
  EXPECT_EQ(refusal(s), "RY-FAB-008");
}

TEST(Fabric, a_rail_has_leaves_of_its_own) {
  const Fabric f = testing::built(servers(Topology::rail_optimized, 64, 8, 4, 3600_Gbps));
  for (std::uint32_t gpu = 0; gpu < 32; gpu++) EXPECT_EQ(f.leaf_of(EndpointId(gpu)).index(), gpu % 8);
  EXPECT_EQ(f.leaf_of(EndpointId(32)).index(), 8U);                // the next group
  EXPECT_EQ(path_of(f, EndpointId(0), EndpointId(8)).size(), 2U);  // same rail, same group
  EXPECT_EQ(path_of(f, EndpointId(0), EndpointId(9)).size(), 4U);  // another rail: over spines
  EXPECT_EQ(path_of(f, EndpointId(0), EndpointId(1)).size(), 2U);  // same server
  EXPECT_EQ(f.trunk_tier[path_of(f, EndpointId(0), EndpointId(1))[0].trunk], Tier::scale_up);
}

TEST(Fabric, without_spines_between_rails_traffic_changes_rails_inside_a_server) {
  const Fabric f = testing::built(servers(Topology::rail_only, 64, 8, 4, 3600_Gbps));
  EXPECT_EQ(relay_of(f, EndpointId(0), EndpointId(9)), EndpointId(1));
  const TrunkPath path = path_of(f, EndpointId(0), EndpointId(9));
  EXPECT_EQ(f.trunk_tier[path[0].trunk], Tier::scale_up);
  EXPECT_EQ(path.size(), 4U);  // to GPU 1 over its scale-up switch, to the leaf of rail 1, to GPU 9
  const NodeId leaf = f.port_to[f.trunk_ports[host_up_trunk(f, f.interface_of(EndpointId(0)))].front()];
  EXPECT_EQ(next_hops(f, leaf, EndpointId(8)).size(), 1U);
  EXPECT_EQ(next_hops(f, leaf, EndpointId(9)).size(), 0U);  // a rail leads to its own GPUs alone
}

TEST(Fabric, planes_do_not_meet_above_the_host) {
  Scenario s = servers(Topology::multi_plane, 64, 4, 8);
  s.fabric.planes = s.fabric.ports = 2;
  const Fabric f = testing::built(s);
  const Block& tors = f.blocks[BlockId(0)];
  const Block& spines = f.blocks[tors.parent];
  for (const PortId port : f.trunk_ports[tors.up]) {
    const bool upper_tor = f.port_from[port].index() - tors.first.index() == 1;
    const bool upper_half = f.port_to[port].index() - spines.first.index() >= spines.width / 2;
    EXPECT_EQ(upper_tor, upper_half);
  }
}

TEST(Fabric, circuits_follow_what_pods_send_each_other) {
  Scenario s = servers(Topology::optical, 64, 1, 4);
  s.fabric.hosts_per_pod = 16;
  s.fabric.spines = 2;
  s.fabric.circuits = Circuits::demand;
  Fabric f = testing::built(s);
  ASSERT_EQ(f.pods.size(), 4U);
  const auto circuits = [&](BlockId a, BlockId b) {
    for (const CircuitBundle& bundle : f.circuits)
      if (bundle.a == a && bundle.b == b) return bundle.per_switch;
    return 0U;
  };
  EXPECT_EQ(circuits(f.pods[0], f.pods[2]), 0U);
  EXPECT_EQ(path_of(f, EndpointId(0), EndpointId(63)).size(), 5U);  // neighbours on a ring
  EXPECT_EQ(path_of(f, EndpointId(0), EndpointId(40)).size(), 6U);  // by way of another pod
  match_circuits(f, s.fabric, {{0, 0, 9, 0}, {0, 0, 0, 0}, {9, 0, 0, 0}, {0, 0, 0, 0}});
  EXPECT_GE(circuits(f.pods[0], f.pods[2]), 4U);
  EXPECT_EQ(path_of(f, EndpointId(0), EndpointId(40)).size(), 5U);
  for (std::uint32_t to = 1; to < 64; to++) expect_hops_follow_trunks(f, EndpointId(0), EndpointId(to));
}

TEST(Placement, in_order_is_the_identity) {
  const Fabric f = testing::built(leaf_spine(8, 4, 1, 400_Gbps, 500_ns));
  const Placement p = placed(PlacementPolicy::in_order, 6, f, 1);
  for (const RankId rank : ids(p)) EXPECT_EQ(p[rank].index(), rank.index());
}

TEST(Placement, round_robin_puts_neighbours_under_different_leaves) {
  const Fabric f = testing::built(leaf_spine(12, 4, 1, 400_Gbps, 500_ns));
  const Placement p = placed(PlacementPolicy::round_robin, 12, f, 1);
  for (std::uint32_t r = 0; r < 12; r++) EXPECT_NE(f.leaf_of(p[RankId(r)]), f.leaf_of(p[RankId((r + 1) % 12)]));
}

TEST(Placement, along_rails_neighbours_share_a_rail) {
  const Fabric f = testing::built(servers(Topology::rail_optimized, 32, 4, 8));
  const Placement p = placed(PlacementPolicy::along_rails, 16, f, 1);
  EXPECT_EQ(p[RankId(0)].index(), 0U);
  EXPECT_EQ(p[RankId(1)].index(), 4U);
  EXPECT_EQ(p[RankId(4)].index(), 1U);
  for (std::uint32_t r = 0; r + 1 < 4; r++) EXPECT_EQ(f.leaf_of(p[RankId(r)]), f.leaf_of(p[RankId(r + 1)]));
}

TEST(Placement, in_order_groups_with_one_rank_per_server_are_aligned_with_rails) {
  const Fabric f = testing::built(servers(Topology::rail_optimized, 32, 4, 8));
  for (const PlacementPolicy policy : {PlacementPolicy::in_order, PlacementPolicy::round_robin, PlacementPolicy::random}) {
    const Placement p = placed(policy, 32, f, 1);
    for (std::uint32_t r = 0; r + 4 < 32; r++) EXPECT_EQ(f.leaf_of(p[RankId(r)]), f.leaf_of(p[RankId(r + 4)])) << r;
  }
}

TEST(Placement, fragments_are_whole_servers_in_order) {
  const Fabric f = testing::built(servers(Topology::leaf_spine, 64, 4, 16));
  const Placement p = placed(PlacementPolicy::fragmented, 16, f, 3);
  for (std::uint32_t r = 0; r + 1 < 16; r++) EXPECT_LT(p[RankId(r)], p[RankId(r + 1)]);
  for (std::uint32_t r = 0; r < 16; r++) EXPECT_EQ(p[RankId(r)].index() % 4, r % 4);
  EXPECT_GT(p[RankId(15)].index(), 15U) << "a busy cluster has no four servers in a row";
}

TEST(Placement, spares_have_the_ranks_of_lost_servers) {
  const Fabric f = testing::built(servers(Topology::leaf_spine, 32, 4, 16));
  const auto without = [&](std::vector<std::uint32_t> lost, std::uint32_t ranks) {
    PlacementPlan plan;
    plan.lost_servers = std::move(lost);
    return place(plan, ranks, f, {});
  };
  const Result<Placement> p = without({1, 3}, 24);
  ASSERT_TRUE(p);
  const std::vector<std::uint32_t> servers_of = {0, 7, 2, 6, 4, 5};
  for (std::uint32_t r = 0; r < 24; r++) EXPECT_EQ((*p)[RankId(r)].index(), servers_of[r / 4] * 4 + r % 4) << r;
  const Result<Placement> unused = without({7}, 24);
  ASSERT_TRUE(unused);
  EXPECT_EQ((*unused)[RankId(23)].index(), 23U) << "a server without a rank changes nothing";
  for (const auto& [lost, ranks] : {std::pair<std::uint32_t, std::uint32_t>{0, 32}, {8, 24}}) {
    const Result<Placement> refused = without({lost}, ranks);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "RY-FAB-021");
  }
}

TEST(Placement, random_is_a_permutation_that_follows_the_seed) {
  const Fabric f = testing::built(leaf_spine(64, 16, 1, 400_Gbps, 500_ns));
  const Placement a = placed(PlacementPolicy::random, 64, f, 1), b = placed(PlacementPolicy::random, 64, f, 1),
                  c = placed(PlacementPolicy::random, 64, f, 2);
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
  EXPECT_FALSE(std::equal(a.begin(), a.end(), c.begin()));
  EXPECT_EQ(std::set<EndpointId>(a.begin(), a.end()).size(), 64U);
}

}  // namespace
}  // namespace railyard
