#include "analysis/patterns/path_diversity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

/// Every host to the one half of all further on: across leaves, and across pods where there are some.
std::vector<Bundle> across(std::uint32_t hosts) {
  Bundle bundle;
  for (std::uint32_t i = 0; i < hosts; i++) bundle.edges.push_back({EndpointId(i), EndpointId((i + hosts / 2) % hosts), 1});
  return {bundle};
}

PathPolicy ecmp(std::vector<std::uint32_t> seeds) {
  PathPolicy routing{.policy = RoutingPolicy::ecmp};
  routing.hash.seeds = std::move(seeds);
  return routing;
}

Fabric pods() {
  Scenario s = testing::servers(Topology::clos3, 256, 1, 16);
  s.fabric.hosts_per_pod = 128;
  return *testing::build_fabric(s);
}

TEST(PathDiversity, entropy_of_flows_that_all_differ_is_the_logarithm_of_their_number) {
  const Fabric fabric = *testing::build_fabric(testing::leaf_spine(128, 16, 1, 400_Gbps, 500_ns));
  const auto paths = path_diversity(fabric, ecmp({0, 10, 25}), across(128), {1.0}, {"ring"});
  ASSERT_TRUE(paths);
  EXPECT_EQ(paths->looked_at, 128U);
  ASSERT_EQ(paths->variants.size(), 10U);
  for (const PathVariant& variant : paths->variants) {
    EXPECT_EQ(variant.flows, 128.0 * variant.queue_pairs);
    EXPECT_NEAR(variant.entropy_bits, std::log2(variant.flows), 0.05);
  }
}

TEST(PathDiversity, hashes_throw_balls_into_bins) {
  const Fabric fabric = *testing::build_fabric(testing::leaf_spine(256, 32, 1, 400_Gbps, 500_ns));
  const auto paths = path_diversity(fabric, ecmp({0, 10, 25}), across(256), {1.0}, {"ring"});
  ASSERT_TRUE(paths);
  double last = 1;
  for (const PathVariant& variant : paths->variants) {
    ASSERT_EQ(variant.tiers.size(), 1U);
    const PathChoice& choice = variant.tiers[0];
    EXPECT_EQ(choice.groups, 8U);
    EXPECT_DOUBLE_EQ(choice.flows, 32.0 * variant.queue_pairs);
    EXPECT_NEAR(choice.expected_idle, std::pow(31.0 / 32, choice.flows), 1e-12);
    EXPECT_NEAR(choice.idle, choice.expected_idle, 0.06);
    EXPECT_NEAR(choice.collisions, choice.expected_collisions, 0.08);
    EXPECT_NEAR(choice.worst_to_mean / choice.expected_worst_to_mean, 1, 0.4);
    if (variant.queue_pairs > 1) {
      EXPECT_LE(choice.idle, last);
    }
    last = choice.idle;
  }
}

TEST(PathDiversity, one_seed_for_all_switches_polarises) {
  const Fabric fabric = pods();
  const auto set = path_diversity(fabric, ecmp({0, 10, 25}), across(256), {1.0}, {"ring"});
  const auto same = path_diversity(fabric, ecmp({7}), across(256), {1.0}, {"ring"});
  ASSERT_TRUE(set && set->polarisation && same && same->polarisation);
  EXPECT_FALSE(set->polarisation->polarised);
  EXPECT_NEAR(set->polarisation->idle, set->polarisation->expected_idle, 0.05);
  EXPECT_TRUE(same->polarisation->polarised);
  EXPECT_DOUBLE_EQ(same->polarisation->idle, same->polarisation->same_seeds_idle);
}

TEST(PathDiversity, pinned_paths_come_first_and_hashes_are_what_they_would_be) {
  const Fabric fabric = *testing::build_fabric(testing::leaf_spine(128, 16, 1, 400_Gbps, 500_ns));
  PathPolicy pinned = ecmp({0, 10, 25});
  pinned.policy = RoutingPolicy::pinned;
  pinned.hash.pinned = true;
  const auto set = path_diversity(fabric, pinned, across(128), {1.0}, {"ring"});
  const auto hashed = path_diversity(fabric, ecmp({0, 10, 25}), across(128), {1.0}, {"ring"});
  ASSERT_TRUE(set && hashed);
  EXPECT_FALSE(set->hashed);
  ASSERT_EQ(set->variants.size(), 11U);
  const PathVariant& own = set->variants[0];
  EXPECT_TRUE(own.pinned && own.as_set);
  EXPECT_DOUBLE_EQ(own.entropy_bits, 7);  // 128 destinations
  EXPECT_DOUBLE_EQ(own.tiers[0].idle, 0);
  EXPECT_DOUBLE_EQ(own.tiers[0].worst_to_mean, 1);
  for (std::size_t i = 0; i < 10; i++) {
    EXPECT_FALSE(set->variants[i + 1].as_set);
    EXPECT_DOUBLE_EQ(set->variants[i + 1].tiers[0].idle, hashed->variants[i].tiers[0].idle);
  }
}

TEST(PathDiversity, nothing_is_reported_where_no_leaf_has_a_choice) {
  EXPECT_FALSE(
      path_diversity(*testing::build_fabric(testing::star(8, 400_Gbps, 500_ns)), ecmp({0}), across(8), {1.0}, {"ring"}));
}

TEST(PathDiversity, chance_leaves_members_idle_as_balls_leave_bins_empty) {
  EXPECT_DOUBLE_EQ(expected_idle(2, 1), 0.5);
  EXPECT_DOUBLE_EQ(expected_idle(4, 2), 0.5625);
  EXPECT_NEAR(expected_idle(1000, 1000), std::exp(-1), 1e-3);
  EXPECT_NEAR(expected_worst_to_mean(2, 1), 1.5, 1e-12);     // independent bins: both stay empty one time in four
  EXPECT_NEAR(expected_worst_to_mean(4, 100'000), 1, 0.02);  // so many flows that the first terms are below any double
}

}  // namespace
}  // namespace railyard
