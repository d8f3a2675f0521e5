#include "sim/traffic/pair_numbers.h"

#include <gtest/gtest.h>

#include <map>

namespace railyard {
namespace {

TEST(PairNumbers, a_pair_has_the_number_it_was_first_given) {
  PairNumbers numbers;
  std::map<std::uint64_t, std::uint32_t> expected;
  for (std::uint64_t from = 0; from < 100; from++)
    for (std::uint64_t to = 0; to < 100; to++) {
      const std::uint64_t pair = (from * 37 % 100) << 32 | (to * 7919 % 1000);
      const auto next = static_cast<std::uint32_t>(expected.size());
      const std::uint32_t number = expected.try_emplace(pair, next).first->second;
      ASSERT_EQ(numbers.find_or_add(pair, next), number) << from << " " << to;
    }
  for (const auto& [pair, number] : expected) ASSERT_EQ(numbers.find_or_add(pair, 0), number);
}

TEST(PairNumbers, tables_do_not_share_numbers) {
  PairNumbers one, other;
  EXPECT_EQ(one.find_or_add(0, 0), 0U);
  EXPECT_EQ(one.find_or_add(1, 1), 1U);
  EXPECT_EQ(other.find_or_add(1, 0), 0U);
}

}  // namespace
}  // namespace railyard
