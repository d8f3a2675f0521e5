#include "base/rng.h"

#include <gtest/gtest.h>

#include <vector>

namespace railyard {
namespace {

TEST(Rng, a_stream_is_its_name_and_nothing_else) {
  Rng a(1, "placement", 0), b(1, "placement", 0);
  for (int i = 0; i < 100; i++) EXPECT_EQ(a.next(), b.next());
}

TEST(Rng, seed_purpose_and_index_each_make_another_stream) {
  const std::uint64_t first = Rng(1, "placement", 0).next();
  EXPECT_NE(first, Rng(2, "placement", 0).next());
  EXPECT_NE(first, Rng(1, "ecmp-seed", 0).next());
  EXPECT_NE(first, Rng(1, "placement", 1).next());
}

TEST(Rng, values_are_the_same_on_every_machine) {
  Rng rng(42, "test", 7);
  EXPECT_EQ(rng.next(), 8953642061056306499ULL);
}

TEST(Rng, draws_below_a_bound_are_even) {
  Rng rng(3, "test", 0);
  std::vector<int> counts(7, 0);
  for (int i = 0; i < 70'000; i++) counts[rng.below(7)]++;
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 400);  // four standard deviations
}

TEST(Rng, unit_draws_fill_zero_to_one) {
  Rng rng(3, "test", 1);
  double sum = 0;
  for (int i = 0; i < 10'000; i++) {
    const double u = rng.unit();
    ASSERT_TRUE(u >= 0 && u < 1);
    sum += u;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.015);
}

}  // namespace
}  // namespace railyard
