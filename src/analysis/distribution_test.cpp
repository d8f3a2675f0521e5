#include "analysis/distribution.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(Distribution, of_few_values_has_each_of_them) {
  const std::vector<CdfPoint> points = cdf_of({3, 1, 2, 2});
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].value, 1);
  EXPECT_EQ(points[0].share, 0.25);
  EXPECT_EQ(points[3].value, 3);
  EXPECT_EQ(points[3].share, 1);
  EXPECT_TRUE(cdf_of(std::vector<double>{}).empty());
}

TEST(Distribution, of_many_values_has_percents_by_nearest_rank) {
  std::vector<double> values;
  for (int i = 1; i <= 10'000; i++) values.push_back(i);
  const std::vector<CdfPoint> points = cdf_of(values);
  ASSERT_EQ(points.size(), 102U);
  EXPECT_EQ(points[49].value, 5'000);
  EXPECT_EQ(points[98].value, 9'900);
  EXPECT_EQ(points[99].value, 9'990);
  EXPECT_EQ(points[100].value, 9'999);
  EXPECT_EQ(points.back().value, 10'000);
}

TEST(Distribution, of_a_histogram_rises_to_one_at_the_largest_value) {
  Histogram histogram;
  for (const std::int64_t value : {1'000, 2'000, 5'000'000}) histogram.add(value);
  const std::vector<CdfPoint> points = cdf_of(histogram, 1e-6);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_NEAR(points[0].share, 1.0 / 3, 1e-12);
  EXPECT_EQ(points.back().share, 1);
  EXPECT_DOUBLE_EQ(points.back().value, 5);
}

}  // namespace
}  // namespace railyard
