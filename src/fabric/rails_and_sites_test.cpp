#include <gtest/gtest.h>

#include "fabric/routes.h"
#include "fabric/testing.h"

namespace railyard {

namespace {

using testing::build_fabric;
using testing::servers;

TEST(RailsAndSites, nics_of_a_server_may_share_rails) {
  Scenario s = servers(Topology::rail_optimized, 64, 8, 8, 3600_Gbps);  // two NICs of each of four servers under a leaf
  s.fabric.rail_count = 4;
  s.fabric.rails = true;
  const Fabric f = testing::built(s);
  EXPECT_EQ(f.rails, 4U);
  EXPECT_EQ(f.count(NodeKind::leaf), 8U);
  for (std::uint32_t gpu = 0; gpu < 64; gpu++) EXPECT_EQ(f.leaf_of(EndpointId(gpu)).index(), gpu / 32 * 4 + gpu % 4) << gpu;
  EXPECT_EQ(path_of(f, EndpointId(0), EndpointId(8)).size(), 2U);
  EXPECT_EQ(path_of(f, EndpointId(0), EndpointId(12)).size(), 2U) << "NICs 0 and 4 are on one rail";
  EXPECT_EQ(path_of(f, EndpointId(0), EndpointId(9)).size(), 4U);
}

TEST(RailsAndSites, one_rail_is_none_and_a_rail_for_every_nic_is_true) {
  Scenario s = servers(Topology::leaf_spine, 64, 8, 8);
  const Fabric without = testing::built(s);
  s.fabric.rails = true;
  const Fabric with = testing::built(s);
  s.fabric.rail_count = 1;
  const Fabric one = testing::built(s);
  s.fabric.rail_count = 8;
  const Fabric eight = testing::built(s);
  EXPECT_EQ(one.rails, 1U);
  for (std::uint32_t gpu = 0; gpu < 64; gpu++) {
    EXPECT_EQ(one.leaf_of(EndpointId(gpu)), without.leaf_of(EndpointId(gpu)));
    EXPECT_EQ(eight.leaf_of(EndpointId(gpu)), with.leaf_of(EndpointId(gpu)));
  }
}

TEST(RailsAndSites, rails_that_do_not_divide_the_nics_of_a_server_are_refused) {
  Scenario s = servers(Topology::rail_optimized, 64, 8, 8);
  s.fabric.rails = true;
  s.fabric.rail_count = 3;
  EXPECT_EQ(build_fabric(s).error()[0].code, "RY-FAB-023");
  s.fabric.rail_count = 4;
  s.fabric.host_nics = 1;
  EXPECT_EQ(build_fabric(s).error()[0].code, "RY-FAB-023") << "where would that of the server go?";
}

TEST(RailsAndSites, every_tier_has_a_cable_of_its_own) {
  Scenario s = servers(Topology::clos3, 48, 1, 4);
  s.fabric.hosts_per_pod = 16;
  s.fabric.uplink_delay = 200_ns;
  s.fabric.core_delay = 700_ns;
  const Fabric f = testing::built(s);
  for (const TrunkId trunk : ids(f.trunk_tier)) {
    const Tier tier = f.trunk_tier[trunk];
    const bool host = tier == Tier::host_up || tier == Tier::host_down, leaf = tier == Tier::leaf_up || tier == Tier::leaf_down;
    const Picoseconds cable = host ? 100_ns : leaf ? 200_ns : 700_ns;
    EXPECT_EQ(f.trunk_cable[trunk], cable);
    EXPECT_EQ(f.trunk_delay[trunk], tier == Tier::host_down ? cable : cable + 900_ns);
  }
}

TEST(RailsAndSites, two_sites_are_joined_spine_by_spine) {
  Scenario s = servers(Topology::two_site, 64, 8, 16);
  s.fabric.haul_links = 8;
  s.fabric.spines = 4;
  s.fabric.core_rate = 200_Gbps;
  s.fabric.core_delay = 404_us;
  const Fabric f = testing::built(s);
  EXPECT_EQ(f.count(NodeKind::leaf), 4U);
  EXPECT_EQ(f.count(NodeKind::spine), 8U);
  EXPECT_NE(f.pod_of(EndpointId(0)), f.pod_of(EndpointId(32)));
  EXPECT_EQ(f.pod_of(EndpointId(32)), f.pod_of(EndpointId(63)));
  ASSERT_EQ(f.circuits.size(), 1U);
  EXPECT_EQ(f.trunk_rate(f.circuits[0].there), 1600_Gbps);
  EXPECT_EQ(f.trunk_cable[f.circuits[0].back], 404_us);
  EXPECT_EQ(f.trunk_delay[f.circuits[0].back], 404_us + 900_ns);
  EXPECT_EQ(path_of(f, EndpointId(0), EndpointId(63)).size(), 5U);
  s.fabric.haul_links = 6;
  EXPECT_EQ(build_fabric(s).error()[0].code, "RY-FAB-004") << "four spines";
  s.fabric.spines.reset();
  s.fabric.haul_links = 7;
  s.fabric.radix = 32;
  EXPECT_EQ(build_fabric(s).error()[0].code, "RY-FAB-022") << "neither one spine nor sixteen";
}

TEST(RailsAndSites, leaves_of_two_sites_differ_by_a_server_at_most) {
  Scenario s =
      servers(Topology::two_site, 80, 8, 16);  // ten servers under six leaves: two each, and one each under the last two
  s.fabric.haul_links = 16;
  const Fabric f = testing::built(s);
  EXPECT_EQ(f.count(NodeKind::leaf), 6U);
  EXPECT_EQ(f.pod_of(EndpointId(0)), f.pod_of(EndpointId(47)));
  EXPECT_NE(f.pod_of(EndpointId(0)), f.pod_of(EndpointId(48)));
}

}  // namespace

}  // namespace railyard
