#include "base/fine_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rng.h"

namespace railyard {
namespace {

TEST(FineHistogram, quantiles_are_within_a_two_thousandth_of_the_exact_ones) {
  Rng rng(7, "fine", 0);
  FineHistogram fine;
  std::vector<std::uint64_t> all;
  for (int i = 0; i < 20000; i++) {
    all.push_back(rng.next() >> (14 + rng.below(50)));
    fine.add(all.back());
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(fine.count(), all.size());
  for (const double q : {0.0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.9999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(q * 20000)));
    const auto exact = static_cast<double>(all[rank - 1]);
    EXPECT_NEAR(fine.at(q), exact, exact / 2048) << q;
  }
  EXPECT_EQ(fine.at(1), static_cast<double>(all.back()));
}

TEST(FineHistogram, equal_and_small_numbers_are_exact) {
  FineHistogram equal, small;
  for (int i = 0; i < 3; i++) equal.add(123'456'789'012);
  EXPECT_EQ(equal.at(0.5), 123'456'789'012.0);
  for (std::uint64_t i = 1; i <= 1000; i++) small.add(i);
  EXPECT_EQ(small.at(0.5), 500);
  EXPECT_EQ(small.at(0.99), 990);
}

}  // namespace
}  // namespace railyard
