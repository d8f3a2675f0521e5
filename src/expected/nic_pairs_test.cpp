#include "expected/nic_pairs.h"

#include <gtest/gtest.h>

#include "fabric/testing.h"
#include "scenario/testing.h"

namespace railyard {
namespace {

Scenario cluster(const std::string& fabric, const std::string& more = "") {
  return testing::scenario_of(
      "name = \"servers\"\n[collective]\nkind = \"all_reduce\"\nsizes = \"1 MiB\"\n[cluster]\ngpu = \"H100-SXM-80\"\n"
      "gpus = 128\ngpus_per_node = 8\nnic = \"ConnectX-7\"\n[fabric]\nswitch = \"Tomahawk-5\"\n" +
      fabric + "\n" + more);
}

TEST(NicPairs, a_rate_is_the_port_less_the_headers) {
  const Scenario scenario = cluster("topology = \"leaf-spine\"\nhosts_per_leaf = 32");
  const std::vector<NicPair> pairs = nic_pairs(scenario, testing::built(scenario));
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].name, "same-leaf");
  EXPECT_EQ(pairs[0].switches, 1U);
  EXPECT_EQ(pairs[1].name, "across-leaves");
  EXPECT_EQ(pairs[1].switches, 3U);
  // 4096 of 4096 + 82 bytes, and 16 more in a message of 8 MiB.
  EXPECT_NEAR(pairs[0].rate, 50e9 * 4096 / 4178, 1e6);
  EXPECT_DOUBLE_EQ(pairs[0].rate, pairs[1].rate);
}

TEST(NicPairs, a_way_over_spines_takes_two_switches_and_two_cables_longer) {
  const Scenario scenario = cluster("topology = \"leaf-spine\"\nhosts_per_leaf = 32");
  const std::vector<NicPair> pairs = nic_pairs(scenario, testing::built(scenario));
  const Picoseconds longer = scenario.fabric.switch_latency * 2 + scenario.fabric.link_delay * 2;
  EXPECT_NEAR(pairs[1].latency_s - pairs[0].latency_s, seconds(longer), 1e-9);
}

TEST(NicPairs, rails_meet_under_their_leaf) {
  const Scenario scenario = cluster("topology = \"rail-optimized\"\nhosts_per_leaf = 16");
  const std::vector<NicPair> pairs = nic_pairs(scenario, testing::built(scenario));
  ASSERT_EQ(pairs.size(), 1U) << "all servers are under the leaf of their rail";
  EXPECT_EQ(pairs[0].name, "same-leaf");
}

TEST(NicPairs, perftest_needs_verbs) {
  const Scenario scenario = cluster("topology = \"star\"", "[transport]\nkind = \"tcp\"");
  EXPECT_TRUE(nic_pairs(scenario, testing::built(scenario)).empty());
}

TEST(NicPairs, a_slow_slot_limits_the_rate) {
  const Scenario scenario = cluster("topology = \"star\"", "[host]\nnic_rate = \"200 Gb/s\"");
  EXPECT_NEAR(nic_pairs(scenario, testing::built(scenario)).at(0).rate, 25e9 * 4096 / 4178, 1e6);
}

}  // namespace
}  // namespace railyard
