#include "analysis/lost_links.h"

#include <gtest/gtest.h>

#include "fabric/testing.h"

namespace railyard {
namespace {

Failure failure(const std::string& name, FailureTarget what, BitsPerSecond left = BitsPerSecond::zero()) {
  Failure f;
  f.name = name;
  f.what = what;
  f.rate = left;
  return f;
}

Fabric four_spines() {
  Scenario s = testing::leaf_spine(64, 16, 1, 400_Gbps, 100_ns);
  s.fabric.spines = 4;
  return testing::built(s);
}

TEST(LostLinks, a_spine_takes_its_links_to_every_leaf) {
  Failure spine = failure("spine 1", {FailureKind::spine, 1, {}, 0, {}, {}});
  spine.from = 1'000_us;
  const std::vector<LostLinks> lost = lost_links(std::vector{spine}, four_spines(), 0.005);
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(lost[0].what, "spine 1");
  EXPECT_EQ(lost[0].tier, "leaf to spine");
  EXPECT_EQ(lost[0].failed, 16U);
  EXPECT_EQ(lost[0].links, 64U);
  EXPECT_DOUBLE_EQ(lost[0].left_at_worst, 0.75);
  EXPECT_DOUBLE_EQ(lost[0].lasts_s, 0.004);
  EXPECT_FALSE(lost[0].until_s);
  EXPECT_EQ(lost[0].ends, "4 leaves, spine 1");
}

TEST(LostLinks, a_leaf_takes_links_of_two_tiers) {
  const std::vector<LostLinks> lost =
      lost_links(std::vector{failure("leaf 0", {FailureKind::leaf, 0, {}, 0, {}, {}})}, four_spines(), 1);
  ASSERT_EQ(lost.size(), 2U);
  EXPECT_EQ(lost[0].tier, "host to leaf");
  EXPECT_EQ(lost[0].ends, "16 GPUs, leaf 0");
  EXPECT_EQ(lost[0].left_at_worst, 0);
  EXPECT_EQ(lost[1].tier, "leaf to spine");
  EXPECT_EQ(lost[1].failed, 16U);
}

TEST(LostLinks, a_flap_lasts_as_long_as_all_its_turns_within_the_run) {
  Failure flap = failure("gpu 5 port 0", {FailureKind::gpu, 5, FailureLinkKind::port, 0, {}, {}}, 100_Gbps);
  flap.from = 1'000_us;
  flap.until = 1'500_us;
  flap.every = 2'000_us;
  flap.times = 4;  // 1 to 1.5, 3 to 3.5, 5 to 5.5 and 7 to 7.5 ms
  const std::vector<LostLinks> lost = lost_links(std::vector{flap}, four_spines(), 0.0052);
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_NEAR(lost[0].lasts_s, 0.0012, 1e-12);
  EXPECT_EQ(lost[0].left, 100_Gbps);
  EXPECT_DOUBLE_EQ(lost[0].left_at_worst, 0.25);
  EXPECT_EQ(lost[0].ends, "GPU 5, leaf 0");
}

TEST(LostLinks, what_is_no_link_takes_none) {
  Failure storm = failure("gpu 5", {FailureKind::gpu, 5, {}, 0, {}, {}});
  storm.rate.reset();
  storm.storms = true;
  EXPECT_TRUE(lost_links(std::vector{storm}, four_spines(), 1).empty());
}

}  // namespace
}  // namespace railyard
