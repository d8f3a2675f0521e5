#include "answer/cable_list.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "fabric/build.h"
#include "scenario/load.h"

namespace railyard {
namespace {

struct Built {
  Scenario scenario;
  Fabric fabric;
};

Built built(const std::string& fabric, const std::string& cluster = "gpu = \"H100-SXM-80\"\ngpus = 256\ngpus_per_node = 8\n") {
  const std::string text = "name = \"a\"\n[cluster]\n" + cluster + "[fabric]\n" + fabric;
  const ReadFile read = [text](const std::filesystem::path&, std::size_t) -> Result<std::string> { return text; };
  Result<Scenario> scenario = load_scenario("a.toml", builtin_catalog(), {}, read, {.workload = false});
  EXPECT_TRUE(scenario) << fabric << (scenario ? "" : to_text(scenario.error().front()));
  Result<Fabric> wired = build_fabric(scenario->fabric, scenario->keys);
  EXPECT_TRUE(wired) << fabric;
  return {std::move(*scenario), std::move(*wired)};
}

/// As many cables as the bill has, every port of every device once, every label once.
void expect_whole(const Built& b, const std::string& what) {
  const BillOfMaterials bill = bill_of_materials(b.scenario, b.fabric, builtin_catalog());
  const std::vector<Cable> cables = cable_list(b.scenario, b.fabric, builtin_catalog());
  std::map<std::tuple<Tier, BitsPerSecond, Millimetres, std::string>, std::uint64_t> counted, billed;
  std::set<std::pair<std::string, std::string>> ends;
  std::set<std::string> labels;
  for (const Cable& one : cables) {
    counted[{one.tier, one.rate, one.length, one.medium}]++;
    EXPECT_TRUE(ends.insert({one.lower.device, one.lower.port}).second) << what << one.lower.device << one.lower.port;
    EXPECT_TRUE(ends.insert({one.upper.device, one.upper.port}).second) << what << one.upper.device << one.upper.port;
    EXPECT_TRUE(labels.insert(one.label).second) << what << one.label;
  }
  for (const CableTier& tier : bill.cables) billed[{tier.tier, tier.rate, tier.length, tier.medium}] += tier.cables;
  EXPECT_EQ(counted, billed) << what;
  std::size_t ports = 0;
  for (const TrunkId trunk : ids(b.fabric.trunk_tier))
    if (!is_scale_up(b.fabric.trunk_tier[trunk])) ports += b.fabric.trunk_ports[trunk].size();
  EXPECT_EQ(ends.size(), ports) << what;
}

TEST(CableList, has_every_cable_of_the_bill_and_every_port_once) {
  for (const char* fabric : {
           "topology = \"star\"\nlink_rate = \"400 Gb/s\"\n",
           "topology = \"leaf-spine\"\nswitch = \"Tomahawk-5\"\nrails = true\nlink_rate = \"400 Gb/s\"\n",
           "topology = \"leaf-spine\"\nswitch = \"Quantum-2\"\nlink_rate = \"400 Gb/s\"\ncable = \"2 m\"\n[transport]\nkind = "
           "\"infiniband\"\n",
           "topology = \"leaf-spine\"\nswitch = \"Tomahawk-5\"\nlink_rate = \"200 Gb/s\"\nuplink_rate = \"800 "
           "Gb/s\"\nhosts_per_leaf = 32\n",
           "topology = \"clos3\"\nradix = 16\nlink_rate = \"400 Gb/s\"\n",
           "topology = \"rail-only\"\nswitch = \"Tomahawk-4\"\nlink_rate = \"400 Gb/s\"\n",
           "topology = \"rail-optimized\"\nswitch = \"Tomahawk-4\"\nlink_rate = \"400 Gb/s\"\n",
           "topology = \"dual-tor\"\nswitch = \"Tomahawk-4\"\nlink_rate = \"200 Gb/s\"\n",
           "topology = \"multi-plane\"\nplanes = 4\nswitch = \"Tomahawk-5\"\nlink_rate = \"100 Gb/s\"\n",
       })
    expect_whole(built(fabric), fabric);
}

TEST(CableList, names_ends_and_rails_as_settings_and_failures_do) {
  const Built b =
      built("topology = \"leaf-spine\"\nswitch = \"Tomahawk-5\"\nrails = true\nlink_rate = \"400 Gb/s\"\ncable = \"20 m\"\n");
  std::istringstream csv(cable_csv(cable_list(b.scenario, b.fabric, builtin_catalog()), b.fabric.topology));
  std::vector<std::string> lines;
  for (std::string line; std::getline(csv, line);) lines.push_back(line);
  EXPECT_EQ(lines[0], "device_a,port_a,device_b,port_b,length_m,rate_gbps,medium,tier,rail,label");
  EXPECT_EQ(lines[1], "server 0,mlx5_0,leaf 0,Ethernet0,20,400,400G-VR4,host to leaf,0,H00001");
  EXPECT_EQ(lines[2], "server 0,mlx5_1,leaf 1,Ethernet0,20,400,400G-VR4,host to leaf,1,H00002");
  EXPECT_EQ(lines[9], "server 1,mlx5_0,leaf 0,Ethernet8,20,400,400G-VR4,host to leaf,0,H00009");
}

}  // namespace
}  // namespace railyard
