#include "fabric/live.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

#include "base/rng.h"
#include "fabric/build.h"
#include "fabric/ecmp.h"
#include "fabric/testing.h"
#include "fabric/unreachable.h"
#include "scenario/read/drawing_file.h"

namespace railyard {
namespace {

using testing::leaf_spine;
using testing::servers;
using testing::shapes;

Scenario drawn(const std::string& text) {
  Scenario s = servers(Topology::file, 2, 1, 1);
  s.fabric.drawing = *read_drawing(text, "drawing.txt");
  return s;
}

/// Switches in a ring, two GPUs at each, two cables between neighbours.
Scenario drawn_ring() {
  return drawn(
      "gpu a b c d e f g h\nswitch s t u v\n"
      "link a s 400Gb/s 1us\nlink b s 400Gb/s 1us\nlink c t 400Gb/s 1us\nlink d t 400Gb/s 1us\n"
      "link e u 400Gb/s 1us\nlink f u 400Gb/s 1us\nlink g v 400Gb/s 1us\nlink h v 400Gb/s 1us\n"
      "link s t 400Gb/s 1us 2\nlink t u 400Gb/s 1us 2\nlink u v 400Gb/s 1us 2\nlink v s 400Gb/s 1us 2\n");
}

std::vector<Scenario> all_shapes() {
  std::vector<Scenario> all = shapes();
  all.push_back(drawn_ring());
  return all;
}

bool is_network(const Fabric& f, PortId port) {
  const Tier tier = f.trunk_tier[f.port_trunk[port]];
  return tier != Tier::scale_up && tier != Tier::scale_down;
}

/// Takes down whole links at random, one in `one_in`.
void take_down_at_random(const Fabric& f, LivePorts& live, Rng& rng, std::uint32_t one_in) {
  for (const PortId port : ids(f.port_from)) {
    if (!is_network(f, port) || rng.below(2 * one_in) != 0) continue;  // either direction may be drawn
    live.set(port, false);
    live.set(reverse_of(f, port), false);
  }
}

/// The ports that may follow at a node, dead ones too: those on a shortest path; in a drawing all.
std::vector<PortId> ports_on(const Fabric& f, NodeId at, EndpointId to) {
  std::vector<PortId> all;
  if (!f.drawn) {
    const Hops hops = next_hops(f, at, to);
    for (std::uint32_t i = 0; i < hops.size(); i++) all.push_back(hops[i]);
    return all;
  }
  for (const PortId port : ids(f.port_from))
    if (f.port_from[port] == at) all.push_back(port);
  return all;
}

/// Breadth first over live ports.
bool live_ports_connect(const Fabric& f, const LivePorts& live, EndpointId from, EndpointId to) {
  std::set<NodeId> seen = {f.node_of(from)};
  for (std::deque<NodeId> open = {f.node_of(from)}; !open.empty(); open.pop_front()) {
    if (open.front() == f.node_of(to)) return true;
    if (f.drawn && f.kind[open.front()] == NodeKind::host && open.front() != f.node_of(from)) continue;
    for (const PortId port : ports_on(f, open.front(), to))
      if (live.is_live(port) && seen.insert(f.port_to[port]).second) open.push_back(f.port_to[port]);
  }
  return false;
}

void expect_live_path(const Fabric& f, const LivePorts& live, EndpointId from, EndpointId to, std::uint32_t qp) {
  const HashSettings settings;
  std::vector<PortId> path;
  find_hashed_path(f, live, from, to, header_of(f, from, to, qp, qp + 1, settings), settings, path);
  const bool connected = live_ports_connect(f, live, from, to);
  ASSERT_EQ(!path.empty(), connected) << from.index() << " to " << to.index();
  ASSERT_EQ(live.connects(from, to), connected);
  ASSERT_EQ(why_unreachable(f, live, from, to).empty(), connected);
  TrunkPath trunk_path;
  find_path(f, live, from, to, trunk_path);
  ASSERT_EQ(!trunk_path.empty(), connected);
  if (!connected) return;
  NodeId at = f.node_of(from);
  for (const PortId port : path) {
    ASSERT_EQ(f.port_from[port], at);
    ASSERT_TRUE(live.is_live(port));
    at = f.port_to[port];
  }
  ASSERT_EQ(at, f.node_of(to));
  for (const TrunkShare& step : trunk_path) ASSERT_GT(live_rate(f, live, step.trunk), BitsPerSecond::zero());
}

TEST(LivePorts, the_reverse_of_a_port_leads_back) {
  for (const Scenario& scenario : all_shapes()) {
    SCOPED_TRACE(name_of(scenario.fabric.topology));
    const Fabric f = testing::built(scenario);
    for (const PortId port : ids(f.port_from)) {
      if (!is_network(f, port)) continue;
      const PortId back = reverse_of(f, port);
      ASSERT_EQ(reverse_of(f, back), port);
      ASSERT_EQ(f.port_from[back], f.port_to[port]);
      ASSERT_EQ(f.port_to[back], f.port_from[port]);
    }
  }
}

TEST(LivePorts, with_random_links_down_a_path_is_live_and_missing_only_where_live_ports_do_not_connect) {
  for (const Scenario& scenario : all_shapes()) {
    SCOPED_TRACE(name_of(scenario.fabric.topology));
    const Fabric f = testing::built(scenario);
    for (std::uint64_t seed = 0; seed < 12; seed++) {
      LivePorts live(f);
      Rng rng(seed, "failures", 0);
      take_down_at_random(f, live, rng, seed % 3 == 0 ? 3 : seed % 3 == 1 ? 10 : 50);
      for (std::uint32_t i = 0; i < 120; i++) {
        const EndpointId from(rng.below(f.endpoints())), to(rng.below(f.endpoints()));
        if (from != to) expect_live_path(f, live, from, to, i);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(LivePorts, with_all_ports_live_paths_are_those_of_the_whole_fabric) {
  const HashSettings settings;
  for (const Scenario& scenario : all_shapes()) {
    const Fabric f = testing::built(scenario);
    const QueuePairNumbers numbers(f, settings);
    LivePorts live(f);
    Rng rng(1, "failures", 0);
    for (const bool mended : {false, true}) {
      for (std::uint32_t from = 0; from < f.endpoints(); from++)
        for (std::uint32_t to = 0; to < f.endpoints(); to++) {
          if (from == to) continue;
          const EndpointId a(from), b(to);
          const FlowHeader header = header_of(f, a, b, from, to, numbers);
          std::vector<PortId> path;
          find_hashed_path(f, live, a, b, header, settings, path);
          ASSERT_EQ(path, hashed_path(f, a, b, header_of(f, a, b, from, to, settings), settings));
          for (NodeId at : {f.node_of(a), f.port_to[path.front()]})  // the same choices, too
            if (is_network(f, path.front())) {
              const Hops hops = next_hops(f, at, b);
              ASSERT_EQ(live.hops(at, b).size(), hops.size());
            }
        }
      if (mended) break;
      take_down_at_random(f, live, rng, 5);
      for (const PortId port : ids(f.port_from)) live.set(port, true);
    }
  }
}

/// The trunk of the nth leaf towards its spines.
TrunkId uplinks_of(const Fabric& f, std::uint32_t leaf) { return f.blocks[BlockId(leaf)].up; }

void take_down(const Fabric& f, LivePorts& live, IdRange<PortId> ports) {
  for (const PortId port : ports) {
    live.set(port, false);
    live.set(reverse_of(f, port), false);
  }
}

TEST(LivePorts, a_leaf_avoids_spines_from_which_the_destination_cannot_be_reached) {
  Scenario s = leaf_spine(64, 16, 1, 400_Gbps, 100_ns);
  s.fabric.spines = 4;
  const Fabric f = testing::built(s);
  LivePorts live(f);
  const IdRange<PortId> of_leaf_1 = f.trunk_ports[uplinks_of(f, 1)];
  for (std::uint32_t i = 4; i < 16; i++) take_down(f, live, {of_leaf_1[i], 1});  // only the first spine is left to it
  for (std::uint32_t qp = 0; qp < 50; qp++) {
    const HashSettings settings;
    std::vector<PortId> path;
    find_hashed_path(f, live, EndpointId(0), EndpointId(20), header_of(f, EndpointId(0), EndpointId(20), qp, 0, settings),
                     settings, path);
    ASSERT_EQ(path.size(), 4U);
    EXPECT_EQ(f.port_to[path[1]], f.port_to[of_leaf_1[0]]);
  }
  EXPECT_EQ(live.hops(f.port_from[f.trunk_ports[uplinks_of(f, 0)].front()], EndpointId(20)).size(), 4U);
  EXPECT_EQ(live.hops(f.port_from[f.trunk_ports[uplinks_of(f, 0)].front()], EndpointId(40)).size(), 16U);
  EXPECT_EQ(live_rate(f, live, uplinks_of(f, 1)), 1600_Gbps);
  EXPECT_EQ(live_rate(f, live, uplinks_of(f, 0)), 6400_Gbps);
}

TEST(LivePorts, a_dead_port_of_a_nic_moves_its_traffic_to_the_other) {
  for (const Topology topology : {Topology::dual_tor, Topology::multi_plane}) {
    Scenario s = servers(topology, 64, 4, 8, 3600_Gbps);
    s.fabric.planes = s.fabric.ports = 2;
    const Fabric f = testing::built(s);
    LivePorts live(f);
    take_down(f, live, {f.trunk_ports[host_up_trunk(f, InterfaceId(5))][0], 1});
    EXPECT_EQ(why_unreachable(f, live, EndpointId(5), EndpointId(60)), "");
    EXPECT_EQ(live.hops(f.node_of(EndpointId(5)), EndpointId(60)).size(), 1U);
    // Planes do not meet, so that the sender has one port left too.
    EXPECT_EQ(live.hops(f.node_of(EndpointId(60)), EndpointId(5)).size(), topology == Topology::multi_plane ? 1U : 2U);
    take_down(f, live, {f.trunk_ports[host_up_trunk(f, InterfaceId(60))][1], 1});
    EXPECT_EQ(live.connects(EndpointId(5), EndpointId(60)), topology == Topology::dual_tor);
    take_down(f, live, f.trunk_ports[host_up_trunk(f, InterfaceId(5))]);
    EXPECT_EQ(why_unreachable(f, live, EndpointId(5), EndpointId(60)),
              "GPU 5 cannot reach GPU 60: all 2 ports of the NIC of GPU 5 are down");
    EXPECT_EQ(why_unreachable(f, live, EndpointId(60), EndpointId(5)),
              "GPU 60 cannot reach GPU 5: all 2 ports of the NIC of GPU 5 are down");
    EXPECT_EQ(why_unreachable(f, live, EndpointId(5), EndpointId(6)), "") << "scale-up links are no part of the network";
  }
}

TEST(LivePorts, gpus_that_share_a_nic_turn_at_a_leaf_that_is_live) {
  Scenario s = servers(Topology::dual_tor, 16, 4, 8);
  s.fabric.interfaces_per_node = 2;
  s.fabric.planes = s.fabric.ports = 2;
  const Fabric f = testing::built(s);
  LivePorts live(f);
  take_down(f, live, {f.trunk_ports[host_up_trunk(f, InterfaceId(0))][0], 1});
  std::vector<PortId> path;
  find_hashed_path(f, live, EndpointId(0), EndpointId(1), FlowHeader{}, HashSettings{}, path);
  EXPECT_EQ(path, (std::vector<PortId>{f.trunk_ports[host_up_trunk(f, InterfaceId(0))][1],
                                       f.trunk_ports[host_down_trunk(f, InterfaceId(0))][1]}));
  take_down(f, live, f.trunk_ports[host_up_trunk(f, InterfaceId(0))]);
  EXPECT_FALSE(live.connects(EndpointId(0), EndpointId(1)));
}

TEST(LivePorts, a_pair_that_is_unreachable_is_explained) {
  Scenario s = servers(Topology::clos3, 48, 1, 4);
  s.fabric.hosts_per_pod = 16;
  const Fabric f = testing::built(s);
  const auto why = [&](const LivePorts& live) { return why_unreachable(f, live, EndpointId(0), EndpointId(47)); };
  const auto take_down_switches = [&](LivePorts& live, BlockId block) {
    for (const PortId port : ids(f.port_from))
      if (f.block_of[f.port_from[port]] == block) take_down(f, live, {port, 1});
  };
  LivePorts live(f);
  EXPECT_EQ(why(live), "");
  const BlockId leaf = f.leaf_of(EndpointId(0)), spines = f.blocks[leaf].parent, cores = f.blocks[spines].parent;
  take_down(f, live, f.trunk_ports[f.blocks[spines].up]);
  EXPECT_EQ(why(live), "GPU 0 cannot reach GPU 47: spines 0 to 3 have no live uplink");
  EXPECT_EQ(why_unreachable(f, live, EndpointId(0), EndpointId(15)), "") << "inside the pod";
  take_down_switches(live, cores);
  EXPECT_EQ(why(live), "GPU 0 cannot reach GPU 47: cores 0 to 3 are down");
  take_down(f, live, f.trunk_ports[f.blocks[leaf].up]);
  EXPECT_EQ(why(live), "GPU 0 cannot reach GPU 47: leaf 0 has no live uplink");
  take_down_switches(live, spines);
  EXPECT_EQ(why(live), "GPU 0 cannot reach GPU 47: spines 0 to 3 are down");
  take_down(f, live, f.trunk_ports[host_up_trunk(f, InterfaceId(0))]);
  EXPECT_EQ(why(live), "GPU 0 cannot reach GPU 47: the port of the NIC of GPU 0 is down");
  take_down_switches(live, leaf);
  EXPECT_EQ(why(live), "GPU 0 cannot reach GPU 47: leaf 0 is down");
}

TEST(LivePorts, leaves_whose_live_links_lead_to_different_spines_are_unreachable) {
  Scenario s = leaf_spine(8, 4, 1, 400_Gbps, 100_ns);
  s.fabric.spines = 2;
  const Fabric f = testing::built(s);
  LivePorts live(f);
  take_down(f, live, {f.trunk_ports[uplinks_of(f, 0)][0], 2});
  take_down(f, live, {f.trunk_ports[uplinks_of(f, 1)][2], 2});
  EXPECT_EQ(why_unreachable(f, live, EndpointId(0), EndpointId(7)),
            "GPU 0 cannot reach GPU 7: no path of live links is left from leaf 0 to leaf 1");
  EXPECT_EQ(why_unreachable(f, live, EndpointId(0), EndpointId(3)), "");
}

TEST(LivePorts, without_its_relay_a_rail_is_out_of_reach) {
  const Fabric f = testing::built(servers(Topology::rail_only, 64, 8, 4, 3600_Gbps));
  LivePorts live(f);
  take_down(f, live, f.trunk_ports[host_up_trunk(f, InterfaceId(1))]);
  EXPECT_EQ(why_unreachable(f, live, EndpointId(0), EndpointId(9)),
            "GPU 0 cannot reach GPU 9: the path goes through GPU 1, and the port of the NIC of GPU 1 is down");
}

TEST(LivePorts, a_drawing_is_measured_anew) {
  const Fabric f = testing::built(drawn_ring());
  LivePorts live(f);
  const EndpointId a(0), c(2);
  take_down(f, live, f.trunk_ports[f.port_trunk[next_hops(f, NodeId(8), c)[0]]]);  // between the first two switches
  std::vector<PortId> path;
  find_hashed_path(f, live, a, c, FlowHeader{1, 2, 3, 4}, HashSettings{}, path);
  EXPECT_EQ(path.size(), 5U) << "the long way around the ring";
  TrunkPath trunk_path;
  find_path(f, live, a, c, trunk_path);
  EXPECT_EQ(trunk_path.back().hop, 4U);
  take_down(f, live, f.trunk_ports[f.port_trunk[path[2]]]);
  EXPECT_EQ(why_unreachable(f, live, a, c), "GPU 0 cannot reach GPU 2: no path of live links is left from \"a\" to \"c\"");
  take_down(f, live, f.trunk_ports[f.port_trunk[path[0]]]);
  EXPECT_EQ(why_unreachable(f, live, a, c), "GPU 0 cannot reach GPU 2: all links of \"a\" are down");
}

/// How often each of the hops of a leaf or spine occurs, by port.
std::map<PortId, std::uint64_t> weights_at(const LivePorts& live, NodeId at, EndpointId to) {
  std::map<PortId, std::uint64_t> weights;
  for (const PortId port : live.hops(at, to)) weights[port]++;
  return weights;
}

/// Live paths to the leaf of `to`, one by one.
std::uint64_t count_paths(const Fabric& f, const LivePorts& live, NodeId at, EndpointId to) {
  if (f.block_of[at] == f.leaf_of(to)) return live.reaches(at, to) ? 1 : 0;
  const Hops hops = next_hops(f, at, to);
  std::uint64_t paths = 0;
  for (std::uint32_t i = 0; i < hops.size(); i++)
    if (live.is_live(hops[i])) paths += count_paths(f, live, f.port_to[hops[i]], to);
  return paths;
}

/// Every live hop weighs as many as there are paths behind it; nothing but that tells weighted from equal next hops.
void expect_weights(const Fabric& f, const LivePorts& live, const LivePorts& equal, NodeId at, EndpointId to) {
  const std::map<PortId, std::uint64_t> weights = weights_at(live, at, to);
  const std::vector<PortId>& hops = equal.hops(at, to);
  ASSERT_EQ(weights.size(), hops.size());
  for (const PortId port : hops) ASSERT_TRUE(weights.contains(port));
  if (hops.empty() || f.kind[f.port_to[hops.front()]] == NodeKind::host) return;
  const PortId first = hops.front();
  const std::uint64_t paths_of_first = count_paths(f, live, f.port_to[first], to);
  for (const auto& [port, weight] : weights)
    ASSERT_EQ(weight * paths_of_first, weights.at(first) * count_paths(f, live, f.port_to[port], to));
}

TEST(LivePorts, weighted_next_hops_are_in_proportion_to_the_paths_behind_them) {
  for (const Scenario& scenario : shapes()) {
    SCOPED_TRACE(name_of(scenario.fabric.topology));
    const Fabric f = testing::built(scenario);
    for (std::uint64_t seed = 0; seed < 6; seed++) {
      LivePorts live(f, NextHopWeights::paths), equal(f);
      for (LivePorts* one : {&live, &equal}) {
        Rng rng(seed, "failures", 0);
        take_down_at_random(f, *one, rng, seed % 2 == 0 ? 5 : 30);
      }
      for (const NodeId at : ids(f.kind)) {
        if (f.kind[at] == NodeKind::host || f.kind[at] == NodeKind::scale_up) continue;
        for (std::uint32_t to = 0; to < f.endpoints(); to += 3) expect_weights(f, live, equal, at, EndpointId(to));
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(LivePorts, a_spine_that_lost_half_its_links_to_a_leaf_weighs_half_on_the_way_there) {
  Scenario s = leaf_spine(64, 16, 1, 400_Gbps, 100_ns);
  s.fabric.spines = 4;
  const Fabric f = testing::built(s);
  LivePorts live(f, NextHopWeights::paths);
  const IdRange<PortId> ups = f.trunk_ports[uplinks_of(f, 0)];
  const NodeId leaf = f.port_from[ups.front()];
  EXPECT_EQ(live.hops(leaf, EndpointId(20)).size(), 16U) << "nothing is down";
  take_down(f, live, {f.trunk_ports[uplinks_of(f, 1)][0], 2});  // two of four to the first spine
  EXPECT_EQ(live.hops(leaf, EndpointId(20)).size(), 4U * 1 + 12U * 2);
  const std::map<PortId, std::uint64_t> weights = weights_at(live, leaf, EndpointId(20));
  EXPECT_EQ(weights.at(ups[0]), 1U);
  EXPECT_EQ(weights.at(ups[4]), 2U);
  EXPECT_EQ(live.hops(leaf, EndpointId(40)).size(), 16U) << "other leaves have lost nothing";
}

TEST(LivePorts, weights_that_no_table_of_a_switch_holds_are_rounded) {
  Scenario s = leaf_spine(520, 260, 1, 400_Gbps, 100_ns);
  s.fabric.spines = 2;
  const Fabric f = testing::built(s);
  LivePorts live(f, NextHopWeights::paths);
  const NodeId leaf = f.port_from[f.trunk_ports[uplinks_of(f, 0)].front()];
  take_down(f, live, {f.trunk_ports[uplinks_of(f, 1)][0], 1});
  EXPECT_EQ(live.hops(leaf, EndpointId(300)).size(), 260U) << "129 to 130 is as good as equal";
  take_down(f, live, {f.trunk_ports[uplinks_of(f, 1)][0], 31});
  EXPECT_EQ(live.hops(leaf, EndpointId(300)).size(), 130U * 49 + 130U * 64) << "99 to 130 in 64ths";
}

}  // namespace
}  // namespace railyard
