#include "engine/delivery_queue.h"

#include <gtest/gtest.h>

#include <map>

#include "base/rng.h"

namespace railyard {
namespace {

TEST(DeliveryQueue, hands_out_all_of_an_instant_and_the_first_instant_first) {
  DeliveryQueue queue;
  std::multimap<Picoseconds, std::uint32_t> due;
  Rng rng(1, "deliveries", 0);
  Picoseconds now;
  for (std::uint32_t thing = 0; thing < 5'000; thing++) {
    const Picoseconds at = now + Picoseconds(rng.below(thing % 3 == 0 ? 4 : 400));
    queue.add(at, thing);
    due.emplace(at, thing);
    if (rng.below(8) > 0) continue;
    now = due.begin()->first;
    ASSERT_EQ(queue.next(), now);
    std::vector<std::uint32_t> things, expected;
    queue.take(things);
    for (auto [one, end] = due.equal_range(now); one != end; ++one) expected.push_back(one->second);
    due.erase(now);
    order_deliveries(things, std::less<>());
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(things, expected);
  }
}

TEST(DeliveryQueue, an_instant_that_was_handed_out_can_come_again) {
  DeliveryQueue queue;
  std::vector<std::uint32_t> things;
  queue.add(5_ps, 1);
  queue.take(things);
  queue.add(5_ps, 2);
  queue.take(things);
  EXPECT_EQ(things, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(queue.next(), Picoseconds::max());
}

TEST(DeliveryQueue, many_numbers_are_put_in_order) {
  Rng rng(1, "numbers", 0);
  std::vector<std::uint64_t> room;
  for (const std::uint32_t count : {0U, 1U, 63U, 64U, 500U, 5'000U})
    for (const std::uint32_t apart : {1U, 300U, 1'000'000'000U}) {
      std::vector<std::uint64_t> numbers;
      for (std::uint32_t i = 0; i < count; i++)
        numbers.push_back(std::uint64_t{7'000'000 + rng.below(apart)} << 32 | rng.below(5'000));
      std::vector<std::uint64_t> expected = numbers;
      std::sort(expected.begin(), expected.end());
      order_numbers(numbers, room);
      ASSERT_EQ(numbers, expected);
    }
}

}  // namespace
}  // namespace railyard
