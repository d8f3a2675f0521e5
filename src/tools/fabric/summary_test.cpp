#include "tools/fabric/summary.h"

#include <gtest/gtest.h>

#include "fabric/build.h"
#include "fabric/testing.h"
#include "scenario/load.h"
#include "tools/fabric/fabric_report.h"

namespace railyard {
namespace {

using testing::leaf_spine;
using testing::servers;

FabricSummary summary_of(const Scenario& scenario) {
  const Result<Fabric> fabric = testing::build_fabric(scenario);
  EXPECT_TRUE(fabric.has_value()) << (fabric ? "" : to_text(fabric.error().front()));
  return summarise(scenario, *fabric, builtin_catalog());
}

Result<Scenario> load_text(const std::string& text, LoadOptions options = {.workload = false}) {
  return load_scenario(
      "case.toml", builtin_catalog(), {}, [&](const auto&) { return Result<std::string>(text); }, options);
}

std::uint32_t switches(const FabricSummary& s, NodeKind kind) {
  for (const SwitchTier& tier : s.switches)
    if (tier.kind == kind) return tier.switches;
  return 0;
}

double share_of_all(const FabricSummary& s) {
  double sum = 0;
  for (const PairClass& c : s.pairs) sum += c.share;
  return sum;
}

TEST(FabricSummary, counts_a_leaf_spine) {
  Scenario scenario = leaf_spine(64, 16, 2, 400_Gbps, 150_ns, 900_ns);
  scenario.fabric.radix = 128;
  const FabricSummary s = summary_of(scenario);
  ASSERT_EQ(s.switches.size(), 2U);
  EXPECT_EQ(switches(s, NodeKind::spine), 1U);
  EXPECT_EQ(switches(s, NodeKind::leaf), 4U);
  const SwitchTier& leaf = s.switches.back();
  EXPECT_EQ(leaf.used_most, 24U);
  EXPECT_EQ(leaf.radix, 128U);
  EXPECT_DOUBLE_EQ(*leaf.oversubscription_most, 2);
  EXPECT_EQ(s.bill_of_materials.all_cables(), 64U + 4 * 8);
  EXPECT_DOUBLE_EQ(s.bisection.ideal_gbps, 32 * 400);
  EXPECT_DOUBLE_EQ(s.bisection.bandwidth_gbps, 2 * 8 * 400);
  EXPECT_DOUBLE_EQ(s.bisection.per_gpu_gbps(), 200);
  EXPECT_EQ(s.bisection.where, std::vector{Tier::leaf_up});
}

TEST(FabricSummary, measures_pairs_of_a_leaf_spine) {
  const Scenario scenario = leaf_spine(64, 16, 2, 400_Gbps, 150_ns, 900_ns);
  const FabricSummary s = summary_of(scenario);
  ASSERT_EQ(s.pairs.size(), 2U);
  EXPECT_DOUBLE_EQ(s.pairs[0].pairs, 64 * 15);
  EXPECT_DOUBLE_EQ(s.pairs[1].pairs, 64 * 48);
  EXPECT_EQ(s.pairs[0].switches, 1U);
  EXPECT_EQ(s.pairs[1].switches, 3U);
  const Picoseconds packet = transmit_time(Bytes(64 + 82 + 16), 400_Gbps);  // stored at every hop
  EXPECT_EQ(s.pairs[0].latency_least, 2 * 150_ns + 900_ns + 2 * packet);
  EXPECT_EQ(s.pairs[1].latency_least, 4 * 150_ns + 3 * 900_ns + 4 * packet);
}

TEST(FabricSummary, counts_a_fat_tree_of_eight_port_switches) {
  Scenario scenario = leaf_spine(128, 4, 1, 400_Gbps, 150_ns, 900_ns);
  scenario.fabric.topology = Topology::fat_tree;
  scenario.fabric.hosts_per_leaf.reset();
  scenario.fabric.radix = 8;
  const FabricSummary s = summary_of(scenario);
  EXPECT_EQ(switches(s, NodeKind::leaf), 32U);
  EXPECT_EQ(switches(s, NodeKind::spine), 32U);
  EXPECT_EQ(switches(s, NodeKind::core), 16U);
  EXPECT_EQ(s.bill_of_materials.all_cables(), 384U);
  EXPECT_EQ(s.pods, 8U);
  EXPECT_DOUBLE_EQ(s.bisection.share(), 1);
  ASSERT_EQ(s.pairs.size(), 3U);
  EXPECT_DOUBLE_EQ(s.pairs[0].pairs, 128 * 3);
  EXPECT_DOUBLE_EQ(s.pairs[1].pairs, 128 * 12);
  EXPECT_DOUBLE_EQ(s.pairs[2].pairs, 128 * 112);
  for (const SwitchTier& tier : s.switches) EXPECT_EQ(tier.used_least, 8U);
}

TEST(FabricSummary, tells_rails_apart) {
  const FabricSummary s = summary_of(servers(Topology::rail_optimized, 64, 8, 4, 3600_Gbps));
  EXPECT_EQ(switches(s, NodeKind::leaf), 16U);  // eight servers in two groups of four, a leaf per rail
  EXPECT_EQ(s.rails, 8U);
  EXPECT_NEAR(share_of_all(s), 1, 1e-12);
  double same = 0, other = 0, domain = 0;
  for (const PairClass& c : s.pairs) {
    if (c.name.starts_with("same rail")) same += c.pairs;
    if (c.name.starts_with("another rail")) other += c.pairs;
    if (c.name == "same scale-up domain") domain += c.pairs;
  }
  EXPECT_DOUBLE_EQ(domain, 64 * 7);
  EXPECT_DOUBLE_EQ(same, 64 * 4);       // of the other group
  EXPECT_DOUBLE_EQ(other, 64 * 7 * 7);  // seven other servers, seven other rails
}

TEST(FabricSummary, counts_relays_where_rails_never_meet) {
  const FabricSummary s = summary_of(servers(Topology::rail_only, 64, 8, 4, 3600_Gbps));
  EXPECT_NEAR(share_of_all(s), 1, 1e-12);
  double near = 0, far = 0;
  for (const PairClass& c : s.pairs) {
    if (c.name == "another rail, under its leaf") near += c.pairs;
    if (c.name == "another rail, across leaves") far += c.pairs;
  }
  EXPECT_DOUBLE_EQ(near, 64 * 7 * 3);
  EXPECT_DOUBLE_EQ(far, 64 * 7 * 4);
  EXPECT_DOUBLE_EQ(s.bisection.share(), 1);
}

TEST(FabricSummary, counts_planes) {
  Scenario scenario = servers(Topology::multi_plane, 64, 8, 4, 3600_Gbps);
  scenario.fabric.planes = scenario.fabric.ports = 2;
  scenario.fabric.link_rate = scenario.fabric.uplink_rate = 200_Gbps;
  const FabricSummary s = summary_of(scenario);
  EXPECT_EQ(s.planes, 2U);
  EXPECT_EQ(switches(s, NodeKind::leaf), 32U);  // twice as many as with one plane
  EXPECT_EQ(s.bill_of_materials.cables.front().cables, 128U);
  EXPECT_EQ(s.gpu_rate, 400_Gbps);
  EXPECT_DOUBLE_EQ(s.bisection.share(), 1);
}

TEST(FabricSummary, takes_copper_inside_a_rack_and_optics_elsewhere) {
  Scenario scenario = leaf_spine(64, 16, 1, 400_Gbps, propagation_time(3_m));
  BillOfMaterials bill_of_materials = summary_of(scenario).bill_of_materials;
  ASSERT_EQ(bill_of_materials.cables.size(), 2U);
  EXPECT_EQ(bill_of_materials.cables[0].medium, "DAC-400G");
  EXPECT_EQ(bill_of_materials.cables[1].kind, OpticKind::transceiver);
  EXPECT_EQ(bill_of_materials.optical_ends(), 2 * 64U);
  scenario.fabric.link_delay = propagation_time(200_m);
  bill_of_materials = summary_of(scenario).bill_of_materials;
  EXPECT_EQ(bill_of_materials.cables[0].medium, "400G-DR4");
  EXPECT_DOUBLE_EQ(*bill_of_materials.cables[0].watts, 2 * 64 * 9.0);
}

TEST(FabricSummary, splits_fast_cables_among_slow_links) {
  const BillOfMaterials bill_of_materials =
      summary_of(leaf_spine(64, 16, 1, 200_Gbps, propagation_time(30_m))).bill_of_materials;
  EXPECT_EQ(bill_of_materials.cables[0].links_per_cable, 2U);
  EXPECT_DOUBLE_EQ(*bill_of_materials.cables[0].watts, 64 * 9.0);
}

TEST(FabricSummary, warns_of_idle_ports_and_single_points_of_failure) {
  Scenario scenario = leaf_spine(40, 16, 2, 400_Gbps, 150_ns);
  scenario.fabric.radix = 64;
  std::string all;
  for (const std::string& sentence : summary_of(scenario).warnings) all += sentence + "\n";
  EXPECT_NE(all.find("One leaf is not full: 8 NICs instead of 16"), std::string::npos) << all;
  EXPECT_NE(all.find("There is a single spine"), std::string::npos) << all;
  EXPECT_NE(all.find("Every leaf has 40 to 48 of 64 ports free"), std::string::npos) << all;
  EXPECT_NE(all.find("If a leaf fails, 16 GPUs are off the network"), std::string::npos) << all;
}

TEST(FabricSummary, reads_a_fabric_without_a_workload) {
  const std::string text =
      "name = \"x\"\n[cluster]\ngpus = 32\nnic = \"ConnectX-7\"\n[fabric]\ntopology = \"leaf-spine\"\nswitch = \"Tomahawk-5\"\n"
      "hosts_per_leaf = 8\n";
  const Result<Scenario> scenario = load_text(text);
  ASSERT_TRUE(scenario.has_value()) << to_text(scenario.error().front());
  EXPECT_EQ(summary_of(*scenario).gpus, 32U);
  const Result<Scenario> refused = load_text(text, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().front().code, "RY-SCN-020");
  const Result<Scenario> empty = load_text("name = \"x\"\n[fabric]\nlink_rate = \"400 Gb/s\"\nswitch_latency = \"1 us\"\n");
  ASSERT_FALSE(empty.has_value());
  EXPECT_EQ(empty.error().front().code, "RY-SCN-015");
}

TEST(FabricSummary, goes_through_gateways_once) {
  Scenario scenario = servers(Topology::hybrid, 64, 8, 8);
  scenario.fabric.island.boundary_latency = 3_us;
  scenario.fabric.radix = 64;
  const FabricSummary s = summary_of(scenario);
  const PairClass& across = s.pairs.back();
  EXPECT_EQ(across.name, "across the boundary");
  EXPECT_DOUBLE_EQ(across.share, 64 * 32 / (64.0 * 63));
  const Picoseconds packets = 6 * transmit_time(Bytes(64 + 82 + 16), 400_Gbps);
  EXPECT_EQ(across.latency_least, 6 * 100_ns + 5 * 900_ns + 3_us + packets);
}

TEST(FabricSummary, leaves_room_for_gateways_at_spines) {
  Scenario scenario = servers(Topology::hybrid, 256, 8, 32);
  scenario.fabric.radix = 64;
  scenario.fabric.island.gateways = 4;
  for (const SwitchTier& tier : summary_of(scenario).switches) EXPECT_LE(tier.used_most, tier.radix.value_or(tier.used_most));
}

TEST(FabricReport, fits_eighty_columns_and_has_its_members) {
  const FabricSummary s = summary_of(servers(Topology::rail_optimized, 64, 8, 4, 3600_Gbps));
  for (const Report::Section& section : fabric_report(s).sections)
    for (const Report::Block& block : section.blocks)
      if (const auto* table = std::get_if<TextTable>(&block))
        for (const auto& row : table->rows) {
          std::size_t width = 0;
          for (std::size_t i = 0; i < row.size(); i++) {
            std::size_t widest = display_width(table->header[i]);
            for (const auto& other : table->rows) widest = std::max(widest, display_width(other[i]));
            width += widest + 2;
          }
          EXPECT_LE(width, 80U) << table->header[0];
        }
  const Document document = fabric_document(s);
  for (const char* path : {"schema", "gpus", "switches[0].tier", "cables[0].cables", "totals.cables", "bisection.share",
                           "pairs[0].latency_us", "scale_up.gpus", "warnings", "odd"})
    EXPECT_NE(document.at_path(path), nullptr) << path;
}

}  // namespace
}  // namespace railyard
