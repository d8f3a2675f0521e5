#include "fabric/pinned.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "fabric/build.h"
#include "fabric/ecmp.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

HashSettings pinned() {
  HashSettings settings;
  settings.pinned = true;
  return settings;
}

std::vector<PortId> path_between(const Fabric& f, std::uint32_t from, std::uint32_t to, std::uint32_t queue_pair = 0) {
  const EndpointId a(from), b(to);
  return hashed_path(f, a, b, header_of(f, a, b, queue_pair, queue_pair, pinned()), pinned());
}

/// Flows on the busiest port where host i sends to host i + shift.
std::uint32_t most_on_a_port(const Fabric& f, std::uint32_t shift) {
  std::map<PortId, std::uint32_t> flows;
  for (std::uint32_t i = 0; i < f.endpoints(); i++)
    for (const PortId port : path_between(f, i, (i + shift) % f.endpoints())) flows[port]++;
  std::uint32_t most = 0;
  for (const auto& [port, count] : flows) most = std::max(most, count);
  return most;
}

Fabric fat_tree(std::uint32_t radix) {
  Scenario s = testing::servers(Topology::fat_tree, radix * radix * radix / 4, 1, radix / 2);
  s.fabric.hosts_per_leaf.reset();
  s.fabric.radix = radix;
  return *testing::build_fabric(s);
}

/// Racks of 16 with as many uplinks, two to each of eight spines.
Fabric racks(std::uint32_t hosts, std::uint32_t per_leaf = 16, double oversubscription = 1) {
  Scenario s = testing::leaf_spine(hosts, per_leaf, oversubscription, 400_Gbps, 500_ns);
  s.fabric.spines = 8;
  return *testing::build_fabric(s);
}

TEST(Pinned, the_leaf_chooses_by_the_index_of_the_downlink_at_the_other_end) {
  const Fabric f = racks(64);
  for (std::uint32_t from = 0; from < 16; from++)
    for (std::uint32_t to = 16; to < 64; to++) {
      const PortId up = path_between(f, from, to)[1];
      EXPECT_EQ(up.index() - f.trunk_ports[f.port_trunk[up]].front().index(), to % 16);
    }
}

TEST(Pinned, hosts_of_one_leaf_that_send_to_those_of_another_never_meet) {
  const Fabric f = racks(64);
  for (std::uint32_t turn = 0; turn < 16; turn++) {
    std::set<PortId> used;
    for (std::uint32_t i = 0; i < 16; i++)
      for (const PortId port : path_between(f, i, 32 + (i + turn) % 16)) EXPECT_TRUE(used.insert(port).second);
  }
}

TEST(Pinned, shifts_on_a_full_fat_tree_never_meet) {
  for (const std::uint32_t radix : {4U, 6U, 8U}) {
    const Fabric f = fat_tree(radix);
    for (std::uint32_t shift = 1; shift < f.endpoints(); shift++)
      ASSERT_EQ(most_on_a_port(f, shift), 1U) << radix << " " << shift;
  }
}

TEST(Pinned, shifts_of_whole_racks_never_meet_over_parallel_links) {
  const Fabric f = racks(128);
  for (std::uint32_t shift = 16; shift < 128; shift += 16) EXPECT_EQ(most_on_a_port(f, shift), 1U);
}

TEST(Pinned, half_allocated_racks_leave_half_of_the_uplinks_idle) {
  // Sixteen senders of one rack to the first eight hosts of two others.
  const Fabric f = racks(64);
  std::map<PortId, std::uint32_t> flows;
  for (std::uint32_t i = 0; i < 16; i++) flows[path_between(f, i, 16 + i / 8 * 16 + i % 8)[1]]++;
  EXPECT_EQ(flows.size(), 8U);
  for (const auto& [port, count] : flows) EXPECT_EQ(count, 2U);
}

TEST(Pinned, twice_the_uplinks_of_a_leaf_are_all_used) {
  const Fabric f = racks(64, 16, 0.5);
  std::set<PortId> up;
  for (std::uint32_t to = 16; to < 48; to++) up.insert(path_between(f, 0, to)[1]);
  EXPECT_EQ(up.size(), 32U);
}

TEST(Pinned, all_queue_pairs_to_a_destination_take_one_path) {
  for (const Scenario& scenario : testing::shapes()) {
    const Fabric f = *testing::build_fabric(scenario);
    const std::uint32_t last = f.endpoints() - 1;
    EXPECT_EQ(path_between(f, 0, last, 0), path_between(f, 0, last, 7));
  }
}

TEST(Pinned, every_pair_of_every_shape_is_joined) {
  for (const Scenario& scenario : testing::shapes()) {
    const Fabric f = *testing::build_fabric(scenario);
    for (std::uint32_t from = 0; from < f.endpoints(); from++)
      for (std::uint32_t to = 0; to < f.endpoints(); to++) {
        if (from == to) continue;
        const std::vector<PortId> path = path_between(f, from, to);
        EXPECT_EQ(path.size(), path_of(f, EndpointId(from), EndpointId(to)).size());
        EXPECT_EQ(f.port_to[path.back()], f.node_of(EndpointId(to)));
      }
  }
}

TEST(Pinned, only_what_used_a_dead_link_moves) {
  const Fabric f = racks(64);
  LivePorts live(f);
  const PortId dead = path_between(f, 0, 21)[1];
  live.set(dead, false);
  for (std::uint32_t to = 16; to < 64; to++) {
    std::vector<PortId> path;
    find_hashed_path(f, live, EndpointId(0), EndpointId(to), FlowHeader{}, pinned(), path);
    ASSERT_EQ(path.size(), 4U);
    EXPECT_EQ(path == path_between(f, 0, to), to % 16 != 5);
    EXPECT_NE(path[1], dead);
  }
}

TEST(Pinned, planes_are_used_alike_and_so_are_the_uplinks_of_each) {
  Scenario s = testing::servers(Topology::multi_plane, 64, 1, 16);
  s.fabric.planes = 2;
  s.fabric.ports = 2;
  const Fabric f = *testing::build_fabric(s);
  std::map<PortId, std::uint32_t> first, second;
  for (std::uint32_t to = 32; to < 64; to++) {
    const std::vector<PortId> path = path_between(f, 0, to);
    first[path[0]]++, second[path[1]]++;
  }
  ASSERT_EQ(first.size(), 2U);
  for (const auto& [port, count] : first) EXPECT_EQ(count, 16U);
  for (const auto& [port, count] : second) EXPECT_EQ(count, second.begin()->second);
}

}  // namespace
}  // namespace railyard
