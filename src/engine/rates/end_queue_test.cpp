#include "engine/rates/end_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/rng.h"

namespace railyard {
namespace {

TEST(EndQueue, the_earliest_comes_first_and_of_equals_the_lowest) {
  EndQueue ends;
  EXPECT_EQ(ends.next(), kNever);
  ends.set(7, 30_ps);
  ends.set(3, 30_ps);
  ends.set(5, 20_ps);
  EXPECT_EQ(ends.next(), 20_ps);
  EXPECT_EQ(ends.take(), 5U);
  EXPECT_EQ(ends.take(), 3U);
  EXPECT_EQ(ends.take(), 7U);
  EXPECT_EQ(ends.next(), kNever);
}

TEST(EndQueue, what_gets_another_rate_moves) {
  EndQueue ends;
  std::map<std::uint32_t, Picoseconds> at;
  Rng rng(1, "ends", 0);
  for (std::uint32_t step = 0; step < 20'000; step++) {
    const std::uint32_t thing = rng.below(300);
    if (rng.below(4) == 0) {
      ends.remove(thing);
      at.erase(thing);
    } else {
      ends.set(thing, at[thing] = Picoseconds(rng.below(1000)));
    }
    if (rng.below(16) > 0 || at.empty()) continue;
    const auto first = std::min_element(at.begin(), at.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    ASSERT_EQ(ends.next(), first->second);
    ASSERT_EQ(ends.take(), first->first);
    at.erase(first);
  }
}

TEST(EndQueue, begun_anew_it_has_what_was_set_since) {
  EndQueue ends;
  Rng rng(1, "ends", 0);
  for (int round = 0; round < 200; round++) {
    std::map<std::pair<Picoseconds, std::uint32_t>, bool> left;
    ends.restart();
    for (std::uint32_t thing = 0; thing < 40; thing++) {
      const Picoseconds at(rng.below(60));
      if (rng.below(5) == 0)
        ends.remove(thing);
      else
        ends.set(thing, at), left[{at, thing}] = true;
    }
    ends.restarted();
    for (int i = 0; i < 10 && !left.empty(); i++) {
      ASSERT_EQ(ends.next(), left.begin()->first.first);
      ASSERT_EQ(ends.take(), left.begin()->first.second);
      left.erase(left.begin());
    }
    for (const auto& [end, there] : left) ends.set(end.second, end.first + 1_ps);  // the rest is there
    for (const auto& [end, there] : left) ASSERT_EQ(ends.take(), end.second);
  }
}

TEST(EndQueue, nothing_is_left_when_it_is_cleared) {
  EndQueue ends;
  for (std::uint32_t thing = 0; thing < 50; thing++) ends.set(thing, Picoseconds(100 - thing));
  ends.clear();
  EXPECT_EQ(ends.next(), kNever);
  ends.set(9, 5_ps);
  EXPECT_EQ(ends.take(), 9U);
}

TEST(EndQueue, all_of_an_instant_are_taken_at_once_in_the_order_of_their_numbers) {
  EndQueue one, all;
  Rng rng(1, "ends", 1);
  for (int round = 0; round < 50; round++) {
    for (std::uint32_t thing = 0; thing < 2'000; thing++) {
      const Picoseconds at(rng.below(40));
      one.set(thing, at);
      all.set(thing, at);
    }
    for (int i = 0; i < (round % 2 == 0 ? 40 : 10) && one.next() != kNever; i++) {
      std::vector<std::uint32_t> expected, taken;
      for (const Picoseconds at = one.next(); one.next() == at;) expected.push_back(one.take());
      all.take_all(taken);
      ASSERT_EQ(taken, expected);
      ASSERT_EQ(all.next(), one.next());
    }
  }
}

TEST(EndQueue, few_of_many_begin_anew) {
  EndQueue ends;
  for (std::uint32_t thing = 0; thing < 5'000; thing++) ends.set(thing, Picoseconds(thing));
  for (std::uint32_t thing = 0; thing < 4'990; thing++) ASSERT_EQ(ends.take(), thing);
  ends.restart();
  for (std::uint32_t thing = 4'990; thing < 5'000; thing++) ends.set(thing, Picoseconds(10'000 - thing));
  ends.restarted();
  for (std::uint32_t thing = 5'000; thing-- > 4'990;) EXPECT_EQ(ends.take(), thing);
  EXPECT_EQ(ends.next(), kNever);
}

}  // namespace
}  // namespace railyard
