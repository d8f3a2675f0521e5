#include "expected/spread.h"

#include <gtest/gtest.h>

#include "expected/judged.h"

namespace railyard {
namespace {

TEST(Spread, large_buffers_are_surer_than_small_ones_and_than_those_where_bandwidth_rises) {
  EXPECT_GT(least_share(1_GiB, 1), least_share(1_MiB, 1));
  EXPECT_GT(least_share(1_GiB, 1), least_share(1_GiB, 0.7));
  EXPECT_NEAR(least_share(1_GiB, 1), 0.85, 0.005);
}

Curve measured_curve(double of_expected) {
  Curve curve;
  curve.points.push_back({1_MiB, 10, 0, 1, {}});  // small ones say nothing of the level
  curve.points.push_back({1_GiB, 1 / of_expected, 0, 1, {}});
  return curve;
}

TEST(JudgedCurve, is_slow_below_the_least_share_of_what_is_expected) {
  EXPECT_FALSE(judged_curve(measured_curve(0.9), {0.001, 1}).is_slow);
  const JudgedCurve slow = judged_curve(measured_curve(0.8), {0.001, 1});
  EXPECT_TRUE(slow.is_slow);
  EXPECT_NEAR(slow.ratio, 0.8, 1e-12);
  EXPECT_EQ(judged_curve(measured_curve(0.5), {}).ratio, 0) << "what cannot be predicted is not judged";
}

}  // namespace
}  // namespace railyard
