#include "engine/packet/thread_choice.h"

#include <gtest/gtest.h>

namespace railyard::packet {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// Plays windows for so long, where one visit takes that long alone and together; returns the time spent together.
nanoseconds play(ThreadChoice& choice, nanoseconds time, nanoseconds alone, nanoseconds together) {
  nanoseconds spent{}, with_all{};
  while (spent < time) {
    const nanoseconds took = 100 * (choice.is_together() ? together : alone);
    if (choice.is_together()) with_all += took;
    spent += took;
    choice.note(100, took);
  }
  return with_all;
}

TEST(ThreadChoice, threads_that_help_stay) {
  ThreadChoice choice(2, ThreadUse::where_it_pays);
  const nanoseconds time = std::chrono::seconds(20);
  EXPECT_GT(play(choice, time, nanoseconds(1000), nanoseconds(550)), time * 0.97);
  EXPECT_TRUE(choice.is_together());
}

TEST(ThreadChoice, threads_that_hinder_are_left_out) {
  ThreadChoice choice(5, ThreadUse::where_it_pays);
  const nanoseconds time = std::chrono::seconds(20);
  EXPECT_LT(play(choice, time, nanoseconds(1000), nanoseconds(1500)), time * 0.03);
  EXPECT_FALSE(choice.is_together());
}

TEST(ThreadChoice, a_window_that_waits_for_its_turn_is_not_played_together_again_soon) {
  ThreadChoice choice(5, ThreadUse::where_it_pays);
  // 40 ms for a window of 100 visits, which one thread plays in 10 us: a busy machine.
  const nanoseconds time = std::chrono::seconds(20);
  EXPECT_LT(play(choice, time, nanoseconds(100), microseconds(400)), time * 0.1);
}

TEST(ThreadChoice, waking_up_is_not_held_against_threads) {
  // Windows of a millisecond, half of it together; whenever all begin again, the first window takes ten times as long.
  ThreadChoice choice(2, ThreadUse::where_it_pays);
  const nanoseconds time = std::chrono::seconds(20);
  nanoseconds spent{}, with_all{};
  for (bool before = false; spent < time;) {
    const bool together = choice.is_together();
    const nanoseconds took = !together ? milliseconds(1) : before ? microseconds(500) : milliseconds(5);
    before = together;
    if (together) with_all += took;
    spent += took;
    choice.note(100, took);
  }
  EXPECT_GT(with_all, time * 0.95);
}

TEST(ThreadChoice, what_changes_is_noticed) {
  ThreadChoice choice(2, ThreadUse::where_it_pays);
  play(choice, std::chrono::seconds(10), nanoseconds(1000), nanoseconds(3000));
  ASSERT_FALSE(choice.is_together());
  play(choice, std::chrono::seconds(3), nanoseconds(1000), nanoseconds(500));
  EXPECT_TRUE(choice.is_together());
}

TEST(ThreadChoice, one_thread_is_always_alone) {
  for (const ThreadUse use : {ThreadUse::where_it_pays, ThreadUse::always, ThreadUse::in_turn}) {
    ThreadChoice choice(1, use);
    choice.note(100, milliseconds(100));
    EXPECT_FALSE(choice.is_together());
    EXPECT_FALSE(choice.is_timed());
  }
}

TEST(ThreadChoice, tests_see_all_threads_or_every_change) {
  ThreadChoice always(3, ThreadUse::always), in_turn(3, ThreadUse::in_turn);
  for (int i = 0; i < 10; i++) {
    EXPECT_TRUE(always.is_together());
    EXPECT_EQ(in_turn.is_together(), i % 2 == 0);
    always.note(1, milliseconds(100));
    in_turn.note(1, milliseconds(100));
  }
}

}  // namespace
}  // namespace railyard::packet
