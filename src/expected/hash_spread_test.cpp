#include "expected/hash_spread.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(HashSpread, few_flows_are_uneven_and_many_are_not) {
  EXPECT_GT(hashed_spread(8, 4), 2.0);
  EXPECT_NEAR(hashed_spread(64, 4), 1.5, 0.15);  // 16 ± 3.5 of each, the busiest of four
  EXPECT_LT(hashed_spread(4096, 4), 1.1);
  EXPECT_DOUBLE_EQ(hashed_spread(100, 1), 1);
}

}  // namespace
}  // namespace railyard
