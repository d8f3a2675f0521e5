#include "base/progress.h"

#include <gtest/gtest.h>

#include <thread>

namespace railyard {
namespace {

TEST(Progress, never_exceeds_what_there_is_and_never_falls) {
  Progress progress;
  EXPECT_EQ(progress.share(), 0);
  progress.expect(10);
  progress.add(5);
  EXPECT_EQ(progress.share(), 0.5);
  progress.expect(90);  // more than was thought
  EXPECT_EQ(progress.share(), 0.5);
  progress.add(1000);  // and more than that
  EXPECT_EQ(progress.share(), 1);
}

TEST(Progress, that_was_cancelled_stops_whoever_adds_and_nobody_else) {
  Progress whole;
  whole.expect(10);
  {
    Progress part(whole, 10);
    part.expect(2);
    part.add(1);
    whole.cancel();
    EXPECT_THROW(part.add(1), Cancelled);
  }  // a part that ends must not throw
  EXPECT_THROW(whole.add(1), Cancelled);
}

TEST(Progress, of_a_part_is_its_share_of_the_whole) {
  Progress whole;
  whole.expect(100);
  {
    Progress part(whole, 40);
    part.expect(4);
    part.add(1);
    EXPECT_EQ(whole.share(), 0.1);
    Progress inner(part, 1);
    inner.expect(2);
    inner.add(1);
    EXPECT_EQ(whole.share(), 0.1) << "half a unit is none yet";
  }
  EXPECT_EQ(whole.share(), 0.4) << "a part that ends is done, whatever it did";
  whole.finish();
  EXPECT_EQ(whole.share(), 1);
  EXPECT_EQ(whole.done(), whole.total());
}

TEST(Progress, is_at_the_part_that_began_last_and_goes_on) {
  Progress whole;
  EXPECT_EQ(whole.now(), "");
  {
    const Progress first(whole, 1, "Llama 3: placement");
    {
      Progress second(whole, 1, "Llama 3: adaptive routing");
      const Progress inner(second, 1, "the step");
      EXPECT_EQ(whole.now(), "Llama 3: adaptive routing") << "whoever asked knows best what it is";
      EXPECT_EQ(inner.now(), "Llama 3: adaptive routing");
    }
    EXPECT_EQ(whole.now(), "Llama 3: placement");
  }
  EXPECT_EQ(whole.now(), "");
}

TEST(Progress, without_work_is_done_when_it_is_finished) {
  Progress progress;
  progress.finish();
  EXPECT_EQ(progress.share(), 1);
}

TEST(Progress, what_is_dropped_is_not_waited_for) {
  Progress progress;
  progress.expect(4 * kPartWork);
  progress.add(kPartWork);
  EXPECT_EQ(progress.share(), 0.25);
  progress.drop(3 * kPartWork);
  EXPECT_EQ(progress.share(), 1);
  progress.expect(3 * kPartWork);
  EXPECT_EQ(progress.share(), 1);  // never falls
}

TEST(Progress, loses_nothing_between_threads) {
  Progress whole;
  whole.expect(kPartWork);
  {
    Progress part(whole, kPartWork);
    part.expect(40'000);
    std::vector<std::thread> workers;
    for (int i = 0; i < 4; i++)
      workers.emplace_back([&] {
        for (int j = 0; j < 10'000; j++) part.add(1);
      });
    double before = 0;
    for (int i = 0; i < 1000; i++) {
      const double now = whole.share();
      EXPECT_GE(now, before);
      EXPECT_LE(now, 1);
      before = now;
    }
    for (std::thread& worker : workers) worker.join();
  }
  EXPECT_EQ(whole.done(), kPartWork);
}

}  // namespace
}  // namespace railyard
