#include "tools/goodput/monte_carlo.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "base/rng.h"
#include "tools/goodput/closed_form.h"

namespace railyard {
namespace {

/// A job of `segments` intervals that two classes of parts interrupt.
TrainingJob drawn_job(Rng& rng, double& segments) {
  const auto between = [&](double low, double high) { return low * std::pow(high / low, rng.unit()); };
  TrainingJob job;
  const double mtbf = between(0.5, 50) * kHourSeconds;
  job.causes = {{.name = "GPU", .rate = 0.7 / mtbf, .detection = between(1, 1200), .nodes = 1},
                {.name = "software", .rate = 0.3 / mtbf, .detection = between(1, 1200), .nodes = 0}};
  job.interval = between(60, 7200);
  job.stall = between(0.5, 600);
  job.restart = between(1, 1200);
  job.load = between(1, 300);
  segments = std::ceil(between(5, 50) * kDaySeconds / job.interval);
  job.work = segments * job.interval;
  return job;
}

TEST(GoodputDraws, agree_with_the_closed_form_within_their_confidence) {
  Rng rng(7, "goodput-test", 0);
  int outside = 0;
  for (int i = 0; i < 40; i++) {
    double segments = 0;
    const TrainingJob job = drawn_job(rng, segments);
    double detection = 0;
    for (const Cause& cause : job.causes) detection += cause.rate * cause.detection / job.rate();
    const double restore = job.restart + job.load;
    // The last segment ends without a checkpoint.
    const double expected = (segments - 1) * expected_segment(job.interval, job.stall, job.rate(), detection, restore) +
                            expected_segment(job.interval, 0, job.rate(), detection, restore);
    const DrawnWeeks drawn = draw_weeks(job, 11, 400, 2);
    const double off = (drawn.time.mean - expected) / (drawn.time.error / 1.96);
    EXPECT_LT(std::abs(off), 4.5) << "job " << i << ": drawn " << drawn.time.mean << " s, expected " << expected << " s";
    outside += std::abs(off) > 1.96 ? 1 : 0;
  }
  std::cout << "outside of 95 %: " << outside << " of 40\n";
  EXPECT_LE(outside, 8);  // two on average
}

TEST(GoodputDraws, parts_of_the_time_sum_to_it) {
  Rng rng(3, "goodput-test", 1);
  for (int i = 0; i < 20; i++) {
    double segments = 0;
    TrainingJob job = drawn_job(rng, segments);
    job.spares = {.servers = 1, .repair = kDaySeconds, .crews = 2};
    job.stragglers = {1 / (3 * kDaySeconds), 0.1, kHourSeconds};
    job.lag = i % 2 == 0 ? 0 : job.interval / 2;
    std::vector<Interruption> record;
    const DrawnRun run = draw_run(job, 5, 0, &record);
    EXPECT_NEAR(run.time.training, job.work, 1e-3);
    double interrupted = 0, last = 0;
    for (const Interruption& one : record) {
      EXPECT_GE(one.at, last);
      last = one.at + one.detection + one.waiting + one.restart;
      interrupted += one.lost + one.detection + one.waiting + one.restart;
    }
    const TimeParts& t = run.time;
    EXPECT_NEAR(interrupted, t.lost + t.detection + t.waiting + t.restart, 1e-3);
    EXPECT_GE(t.all(), last);
    EXPECT_EQ(record.size(), static_cast<std::size_t>(run.interruptions));
  }
}

TEST(GoodputDraws, are_the_same_at_any_number_of_threads) {
  Rng rng(1, "goodput-test", 2);
  double segments = 0;
  TrainingJob job = drawn_job(rng, segments);
  job.spares = {.servers = 2, .repair = kDaySeconds, .crews = {}};
  job.stragglers = {1 / (5 * kDaySeconds), 0.2, kHourSeconds};
  const DrawnWeeks one = draw_weeks(job, 42, 333, 1), many = draw_weeks(job, 42, 333, 5);
  EXPECT_EQ(one.shares, many.shares);
  EXPECT_EQ(one.time.mean, many.time.mean);
  EXPECT_NE(one.shares, draw_weeks(job, 43, 333, 5).shares);
}

TEST(GoodputDraws, agree_with_first_orders_of_stragglers_plans_and_lag) {
  TrainingJob job{.causes = {{.name = "GPU", .rate = 1 / (6 * kHourSeconds), .detection = 300, .nodes = 0},
                             {.name = "planned", .rate = 1 / (30 * kHourSeconds), .detection = 0, .nodes = 0, .planned = true}},
                  .work = 30 * kDaySeconds,
                  .interval = 900,
                  .stall = 5,
                  .lag = 60,
                  .restart = 200,
                  .load = 30,
                  .stragglers = {1 / (2 * kDaySeconds), 0.15, 4 * kHourSeconds}};
  const DrawnWeeks drawn = draw_weeks(job, 1, 2000, 2);
  EXPECT_NEAR(drawn.share.mean / expected_share(job), 1, 0.004);
}

TEST(GoodputDraws, a_job_without_spares_waits_for_repairs) {
  TrainingJob job{.causes = {{.name = "GPU", .rate = 1 / (2 * kDaySeconds), .detection = 0, .nodes = 1}},
                  .work = 60 * kDaySeconds,
                  .interval = 900,
                  .stall = 1,
                  .restart = 1,
                  .load = 0};
  job.spares = {.servers = 0, .repair = 6 * kHourSeconds, .crews = {}};
  const DrawnWeeks none = draw_weeks(job, 1, 1000, 2);
  EXPECT_NEAR(none.causes[0].waiting / none.causes[0].interruptions / (6 * kHourSeconds), 1, 0.02);
  job.spares.servers = 1;
  const DrawnWeeks one = draw_weeks(job, 1, 1000, 2);
  EXPECT_LT(one.mean.waiting, none.mean.waiting / 4);
  EXPECT_GT(one.mean.waiting, 0);
  job.spares.servers.reset();
  EXPECT_EQ(draw_weeks(job, 1, 100, 2).mean.waiting, 0);
}

TEST(GoodputDraws, fewer_crews_make_a_queue) {
  TrainingJob job{.causes = {{.name = "GPU", .rate = 1 / (8 * kHourSeconds), .detection = 0, .nodes = 1}},
                  .work = 60 * kDaySeconds,
                  .interval = 900,
                  .stall = 1,
                  .restart = 1,
                  .load = 0};
  job.spares = {.servers = 3, .repair = 12 * kHourSeconds, .crews = {}};
  const double any = draw_weeks(job, 1, 300, 2).mean.waiting;
  job.spares.crews = 1;
  EXPECT_GT(draw_weeks(job, 1, 300, 2).mean.waiting, 3 * any);
}

TEST(GoodputDraws, changes_meet_the_same_failures) {
  TrainingJob job{.causes = {{.name = "GPU", .rate = 1 / (4 * kHourSeconds), .detection = 600, .nodes = 0}},
                  .work = 30 * kDaySeconds,
                  .interval = 600,
                  .stall = 5,
                  .restart = 300,
                  .load = 30};
  const DrawnWeeks before = draw_weeks(job, 1, 500, 2);
  job.causes[0].detection = 60;
  const DrawnWeeks after = draw_weeks(job, 1, 500, 2);
  const RunSpread paired = gain(before, after);
  EXPECT_GT(paired.mean, 0.02);
  const double apart = std::hypot(before.share.error / before.share.mean, after.share.error / after.share.mean);
  EXPECT_LT(paired.error, apart / 2);
}

TEST(GoodputDraws, end_at_the_horizon) {
  TrainingJob job{.causes = {{.name = "GPU", .rate = 1 / (4 * kHourSeconds), .detection = 600, .nodes = 0}},
                  .work = 1000 * kDaySeconds,
                  .horizon = 10 * kDaySeconds,
                  .interval = 600,
                  .stall = 5,
                  .restart = 300,
                  .load = 30};
  const DrawnWeeks drawn = draw_weeks(job, 1, 100, 2);
  EXPECT_EQ(drawn.finished, 0);
  EXPECT_NEAR(drawn.time.mean, 10 * kDaySeconds, 0.01 * kDaySeconds);
  job.causes.clear();
  job.work = 5 * kDaySeconds;
  EXPECT_NEAR(draw_weeks(job, 1, 1, 1).time.mean, 5 * kDaySeconds * (605.0 / 600) - 5, 1e-6);
}

}  // namespace
}  // namespace railyard
