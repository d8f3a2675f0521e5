#include "base/stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace railyard {
namespace {

TEST(Moments, of_one_to_hundred) {
  Moments m;
  for (int i = 1; i <= 100; i++) m.add(i);
  EXPECT_DOUBLE_EQ(m.mean(), 50.5);
  EXPECT_NEAR(m.variance(), (100.0 * 100 - 1) / 12, 1e-9);
  EXPECT_EQ(m.min(), 1);
  EXPECT_EQ(m.max(), 100);
}

TEST(Moments, do_not_drift_when_values_are_large_and_close) {
  Moments m;
  for (int i = 0; i < 1'000'000; i++) m.add(1e12 + i % 2);
  EXPECT_NEAR(m.mean(), 1e12 + 0.5, 1e-3);
  EXPECT_NEAR(m.variance(), 0.25, 1e-6);
}

TEST(Quantiles, are_values_that_were_seen) {
  Quantiles q;
  for (const int v : {30, 10, 20, 40}) q.add(v);
  EXPECT_EQ(q.at(0), 10);
  EXPECT_EQ(q.at(0.25), 10);
  EXPECT_EQ(q.at(0.5), 20);
  EXPECT_EQ(q.at(0.51), 30);
  EXPECT_EQ(q.at(1), 40);
  q.add(5);  // and still right after more came
  EXPECT_EQ(q.at(0), 5);
}

TEST(Quantiles, p99_of_a_thousand_is_the_990th) {
  Quantiles q;
  for (int i = 1000; i >= 1; i--) q.add(i);
  EXPECT_EQ(q.at(0.99), 990);
  EXPECT_EQ(q.at(0.55), 550);
}

TEST(Histogram, buckets_hold_their_values_within_an_eighth) {
  for (const std::int64_t value : std::initializer_list<std::int64_t>{
           0, 1, 7, 8, 15, 16, 17, 1000, 123456789, std::int64_t{1} << 62, std::numeric_limits<std::int64_t>::max()}) {
    Histogram h;
    h.add(value, 3);
    const auto buckets = h.buckets();
    ASSERT_EQ(buckets.size(), 1U) << value;
    EXPECT_LE(buckets[0].from, value);
    EXPECT_TRUE(value < buckets[0].to || buckets[0].to == std::numeric_limits<std::int64_t>::max()) << value;
    EXPECT_LE(static_cast<double>(buckets[0].to - buckets[0].from), std::max(1.0, static_cast<double>(value) / 8)) << value;
    EXPECT_EQ(buckets[0].count, 3U);
    EXPECT_EQ(h.min(), value);
    EXPECT_EQ(h.max(), value);
  }
}

TEST(Histogram, neighbouring_buckets_meet) {
  Histogram h;
  for (int i = 0; i < 5000; i++) h.add(i);
  const auto buckets = h.buckets();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < buckets.size(); i++) {
    if (i > 0) {
      EXPECT_EQ(buckets[i].from, buckets[i - 1].to);
    }
    sum += buckets[i].count;
  }
  EXPECT_EQ(sum, 5000U);
}

}  // namespace
}  // namespace railyard
