#include "analysis/packets/packet_results.h"

#include <gtest/gtest.h>

#include "analysis/tier_loads.h"
#include "fabric/build.h"
#include "fabric/testing.h"
#include "plan/packet_plan.h"

namespace railyard {
namespace {

/// Two leaves of two hosts, one spine.
Fabric small_fabric() {
  Scenario scenario = testing::leaf_spine(4, 2, 1, 400_Gbps, 500_ns);
  scenario.fabric.spines = 1;
  return *testing::build_fabric(scenario);
}

PortId port(const Fabric& fabric, const std::string& from, const std::string& to) {
  for (const PortId id : ids(fabric.port_from))
    if (end_name(fabric, fabric.port_from[id]) == from && end_name(fabric, fabric.port_to[id]) == to) return id;
  ADD_FAILURE() << "no port " << from << " to " << to;
  return {};
}

PacketRecord empty_record(const Fabric& fabric) {
  PacketRecord record;
  record.ports = Table<PortId, PortRecord>(fabric.port_from.size());
  record.switches = Table<NodeId, SwitchRecord>(fabric.kind.size());
  return record;
}

/// Adds a pause to the log and to its port, which is stopped for a microsecond.
void pause(PacketRecord& record, Picoseconds at, PortId paused_port, PortId cause) {
  record.pause_log.push_back({at, paused_port, cause, kDataClass});
  record.pauses++;
  record.paused += 1_us;
  record.ports[paused_port].pauses++;
  record.ports[paused_port].paused += 1_us;
}

/// An incast to GPU 0: the spine is stopped first, then leaf 1, then its hosts.
struct Climb {
  Fabric fabric = small_fabric();
  PortId to_host = port(fabric, "leaf 0", "GPU 0"), from_spine = port(fabric, "spine 0", "leaf 0"),
         from_leaf = port(fabric, "leaf 1", "spine 0"), host2 = port(fabric, "GPU 2", "leaf 1"),
         host3 = port(fabric, "GPU 3", "leaf 1");
  PacketRecord record = empty_record(fabric);
  Climb() {
    pause(record, 10_us, from_spine, to_host);
    pause(record, 11_us, from_leaf, from_spine);
    pause(record, 12_us, host2, from_leaf);
    pause(record, 13_us, host3, from_leaf);
    pause(record, 13_us, from_spine, to_host);
  }
};

TEST(PauseTree, pauses_spread_from_the_queue_that_was_not_paused) {
  const Climb climb;
  const PauseTree tree = pause_tree(climb.fabric, climb.record);
  ASSERT_EQ(tree.roots.size(), 1U);
  const PauseNode& root = tree.nodes[tree.roots[0]];
  EXPECT_EQ(root.port, climb.to_host);
  EXPECT_EQ(root.pauses, 5U);
  EXPECT_EQ(root.first, 10_us);
  EXPECT_EQ(tree.depth, 3U);
  EXPECT_EQ(tree.width, 2U);
  EXPECT_EQ(tree.ports, 4U);
  EXPECT_EQ(tree.hosts, 2U);
  EXPECT_EQ(tree.cycles, 0U);
  EXPECT_TRUE(tree.is_whole);
  ASSERT_EQ(tree.children[tree.roots[0]].size(), 1U);
  const std::uint32_t spine = tree.children[tree.roots[0]][0];
  EXPECT_EQ(tree.nodes[spine].port, climb.from_spine);
  EXPECT_EQ(tree.nodes[spine].pauses, 2U);
  const std::uint32_t leaf = tree.children[spine][0];
  EXPECT_EQ(tree.nodes[leaf].port, climb.from_leaf);
  EXPECT_EQ(tree.children[leaf].size(), 2U);
}

TEST(PauseTree, a_pause_that_is_no_longer_felt_is_not_the_reason) {
  Climb climb;
  pause(climb.record, 100_us, climb.host2, climb.from_leaf);  // stopped for 1 µs, 89 µs ago
  const PauseTree tree = pause_tree(climb.fabric, climb.record);
  ASSERT_EQ(tree.roots.size(), 2U);
  EXPECT_EQ(tree.nodes[tree.roots[1]].port, climb.from_leaf);
  EXPECT_EQ(tree.nodes[tree.roots[1]].pauses, 1U);
}

TEST(PauseTree, classes_do_not_follow_from_each_other) {
  Climb climb;
  climb.record.pause_log[1].traffic_class = kBackgroundClass;
  EXPECT_EQ(pause_tree(climb.fabric, climb.record).roots.size(), 3U);
}

TEST(PauseTree, a_slow_host_is_a_root) {
  Climb climb;
  climb.record.pause_log.insert(climb.record.pause_log.begin(), {9_us, climb.to_host, PortId(), kDataClass});
  climb.record.ports[climb.to_host].pauses = 1;
  climb.record.ports[climb.to_host].paused = 10_us;
  climb.record.pauses++;
  const PauseTree tree = pause_tree(climb.fabric, climb.record);
  ASSERT_EQ(tree.roots.size(), 1U);
  EXPECT_FALSE(tree.nodes[tree.roots[0]].port.valid());
  EXPECT_EQ(end_name(climb.fabric, tree.nodes[tree.roots[0]].host), "GPU 0");
  EXPECT_EQ(tree.depth, 4U);
  EXPECT_EQ(analyse_packets(climb.fabric, climb.record, {0_us, 100_us}).first_port, "GPU 0");
}

TEST(PauseTree, pauses_that_go_round_are_counted_and_end) {
  const Climb climb;
  PacketRecord record = empty_record(climb.fabric);
  for (std::int64_t i = 0; i < 10; i++) {
    pause(record, 1_us * (2 * i), climb.from_leaf, climb.from_spine);
    pause(record, 1_us * (2 * i + 1), climb.from_spine, climb.from_leaf);
  }
  const PauseTree tree = pause_tree(climb.fabric, record);
  EXPECT_EQ(tree.nodes.size(), 3U);
  EXPECT_EQ(tree.cycles, 9U);
  EXPECT_EQ(tree.nodes[tree.roots[0]].pauses, 20U);
}

TEST(PauseTree, a_truncated_log_says_so) {
  Climb climb;
  climb.record.pauses = 1'000'000;
  EXPECT_FALSE(pause_tree(climb.fabric, climb.record).is_whole);
}

TEST(PacketResults, the_first_pause_names_the_queue_and_the_port_it_paused) {
  const Climb climb;
  const PacketResults r = analyse_packets(climb.fabric, climb.record, {0_us, 100_us});
  EXPECT_EQ(r.pauses, 5U);
  EXPECT_EQ(r.paused_us, 5);
  EXPECT_EQ(r.first_port, "leaf 0 to GPU 0");
  EXPECT_EQ(r.first_paused, "spine 0 to leaf 0, link 0");
  EXPECT_EQ(r.first_us, 10);
  const std::vector<PauseLine>& lines = r.pauses_in_full.lines;
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0].name, "leaf 0 to GPU 0");
  EXPECT_EQ(lines[2].depth, 2U);
  EXPECT_EQ(lines[4].name, "GPU 3 to leaf 1");
  const PauseLines few = pause_lines(climb.fabric, r.tree, 1, 10), short_one = pause_lines(climb.fabric, r.tree, 9, 3);
  EXPECT_EQ(few.lines.size(), 4U);
  EXPECT_EQ(few.lines[2].left_out, 1U);
  EXPECT_EQ(short_one.lines.size(), 3U);
  EXPECT_EQ(short_one.lines[2].left_out, 2U);
  ASSERT_EQ(r.paused_ports.size(), 4U);
  EXPECT_EQ(r.paused_ports[0].name, "spine 0 to leaf 0, link 0");
  EXPECT_EQ(r.paused_ports[0].paused_us, 2);
}

TEST(PacketResults, ports_add_up_to_tiers_and_switches_to_watermarks) {
  const Climb climb;
  PacketRecord record = empty_record(climb.fabric);
  PortRecord& port = record.ports[climb.to_host];
  port.packets = 1000;
  port.bytes = Bytes(2'500'000);
  port.marked = 7;
  port.dropped = 2;
  port.deepest = 300_KiB;
  port.backlog_time = 10.0;
  port.headroom_most = 2_KiB;
  record.ports[climb.from_spine].packets = 10;
  record.ports[climb.from_spine].deepest = 1_KiB;
  record.drops[static_cast<std::size_t>(DropReason::headroom)] = 2;
  record.switches[climb.fabric.port_from[climb.to_host]].most = 512_KiB;
  const PacketResults r = analyse_packets(climb.fabric, record, {0_us, 100_us});  // 400 Gb/s carry 5 MB in that
  EXPECT_EQ(r.drops, 2U);
  EXPECT_EQ(r.drops_by_reason[static_cast<std::size_t>(DropReason::headroom)], 2U);
  EXPECT_EQ(name_of(DropReason::headroom), "headroom");
  const auto tier = std::find_if(r.tiers.begin(), r.tiers.end(), [](const PacketTier& t) { return t.name == "leaf to host"; });
  ASSERT_NE(tier, r.tiers.end());
  EXPECT_EQ(tier->ports, 4U);
  EXPECT_EQ(tier->packets, 1000U);
  EXPECT_EQ(tier->marked, 7U);
  EXPECT_EQ(tier->dropped, 2U);
  EXPECT_EQ(tier->deepest, 300_KiB);
  EXPECT_EQ(tier->headroom_most, 2_KiB);
  EXPECT_NEAR(tier->peak_utilisation, 0.5, 1e-12);
  EXPECT_NEAR(tier->mean_utilisation, 0.125, 1e-12);
  ASSERT_EQ(r.deepest_ports.size(), 2U);
  EXPECT_EQ(r.deepest_ports[0].name, "leaf 0 to GPU 0");
  EXPECT_NEAR(r.deepest_ports[0].mean_backlog, 100'000, 1e-6);
  EXPECT_TRUE(r.paused_ports.empty());
  ASSERT_EQ(r.buffers.size(), 2U);
  EXPECT_EQ(r.buffers[0].kind, "leaf");
  EXPECT_EQ(r.buffers[0].most, 512_KiB);
  EXPECT_EQ(r.buffers[0].mean, 256_KiB);
  EXPECT_EQ(r.buffers[1].most, 0_B);
  EXPECT_TRUE(r.first_port.empty());
  EXPECT_TRUE(r.pauses_in_full.lines.empty());
}

TEST(PacketResults, depths_have_quantiles_within_an_eighth) {
  Histogram depth;
  for (std::int64_t i = 1; i <= 1000; i++) depth.add(i * 1000);
  const DepthSpread spread = depth_spread(depth);
  EXPECT_EQ(spread.packets, 1000U);
  EXPECT_EQ(spread.max, 1'000'000);
  EXPECT_NEAR(static_cast<double>(spread.p50), 500'000, 0.125 * 500'000);
  EXPECT_NEAR(static_cast<double>(spread.p99), 990'000, 0.125 * 990'000);
  EXPECT_LE(spread.p999, spread.max);
  EXPECT_EQ(depth_spread(Histogram()).max, 0);
  EXPECT_EQ(depth_spread(Histogram()).p50, 0);
}

TEST(PacketResults, ports_that_wait_for_each_other_are_named) {
  const Climb climb;
  PacketRecord record = empty_record(climb.fabric);
  record.deadlocks = {{.at = 5_us, .is_cycle = true, .ports = {climb.from_spine, climb.from_leaf}}};
  const PacketResults r = analyse_packets(climb.fabric, record, {0_us, 100_us});
  ASSERT_EQ(r.standstills.size(), 1U);
  EXPECT_TRUE(r.standstills[0].is_cycle);
  EXPECT_EQ(r.standstills[0].ports, (std::vector<std::string>{"spine 0 to leaf 0, link 0", "leaf 1 to spine 0, link 0"}));
}

}  // namespace
}  // namespace railyard
