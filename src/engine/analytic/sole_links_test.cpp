#include "engine/analytic/sole_links.h"

#include <gtest/gtest.h>

#include "engine/rates/max_min.h"
#include "engine/testing.h"
#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

struct SoleLinksBench {
  Fabric fabric;
  AnalyticPaths paths;

  explicit SoleLinksBench(const Scenario& scenario, std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> pairs)
      : fabric(std::move(*testing::build_fabric(scenario))),
        paths(fabric, testing::kBareWire, path_policy_of(scenario.routing)) {
    for (const auto& [from, to] : pairs) paths.add({EndpointId(from), EndpointId(to)});
  }
};

constexpr std::int64_t kStarRate = 100'000'000'000 * kRateUnitsPerBit;

TEST(SoleLinks, those_who_send_to_one_host_share_its_link_and_nothing_else) {
  const SoleLinksBench b(testing::star(6, 100_Gbps, 0_ns), {{1, 0}, {2, 0}, {3, 0}, {0, 5}});
  const SoleLinks found = find_sole_links(b.paths);
  ASSERT_EQ(found.groups.size(), 2U);
  EXPECT_EQ(found.of_path[0], found.of_path[1]);
  EXPECT_EQ(found.of_path[0], found.of_path[2]);
  EXPECT_EQ(found.groups[found.of_path[0]].paths, 3U);
  EXPECT_EQ(found.groups[found.of_path[0]].capacity, kStarRate);
  EXPECT_EQ(found.groups[found.of_path[3]].capacity, kUnlimitedRate);  // it meets nobody: only its cap holds it back
  EXPECT_EQ(found.groups[found.of_path[3]].cap, kStarRate);
}

TEST(SoleLinks, a_path_that_shares_two_links_with_others_belongs_to_no_group_and_neither_do_they) {
  const SoleLinksBench b(testing::star(6, 100_Gbps, 0_ns), {{1, 0}, {2, 0}, {1, 3}, {4, 5}});
  const SoleLinks found = find_sole_links(b.paths);
  ASSERT_EQ(found.groups.size(), 1U);
  for (const std::uint32_t path : {0U, 1U, 2U}) EXPECT_EQ(found.of_path[path], SoleLinks::kNone) << path;
  EXPECT_EQ(found.of_path[3], 0U);
}

TEST(SoleLinks, two_links_with_the_same_paths_count_as_the_slower) {
  SoleLinksBench b(testing::star(6, 100_Gbps, 0_ns), {{1, 0}, {1, 0}});
  const std::uint32_t last = b.paths.path_links()[1];
  b.paths.set_rate(b.fabric.trunk_ports[b.paths.steps(0)[1].trunk].front(), 50_Gbps);
  const SoleLinks found = find_sole_links(b.paths);
  ASSERT_EQ(found.groups.size(), 1U);
  EXPECT_EQ(b.paths.rate(last), 50_Gbps);
  EXPECT_EQ(found.groups[0].capacity, kStarRate / 2);
  EXPECT_EQ(found.groups[0].cap, kStarRate);
}

}  // namespace
}  // namespace railyard
