#include "tools/goodput/closed_form.h"

#include <gtest/gtest.h>

#include <cmath>

namespace railyard {
namespace {

TEST(GoodputClosedForm, without_detection_a_segment_takes_what_daly_expects) {
  // T = M e^(R/M) (e^((τ+C)/M) - 1), Daly (2006), equation 13 for one segment.
  const double mtbf = kDaySeconds, tau = 1.5 * kHourSeconds, write = 300, restart = 600;
  EXPECT_NEAR(expected_segment(tau, write, 1 / mtbf, 0, restart),
              mtbf * std::exp(restart / mtbf) * (std::exp((tau + write) / mtbf) - 1), 1e-6);
  EXPECT_EQ(expected_segment(tau, write, 0, 600, restart), tau + write);
}

TEST(GoodputClosedForm, detection_is_added_once_per_failure) {
  // Where failures are rare: λ(τ+C) of them, each (τ+C)/2 + D + S.
  const double rate = 1e-9, tau = 1000, write = 10, detection = 600, restore = 300;
  const double more = expected_segment(tau, write, rate, detection, restore) - (tau + write);
  EXPECT_NEAR(more / (rate * (tau + write)) / ((tau + write) / 2 + detection + restore), 1, 1e-5);
}

TEST(GoodputClosedForm, the_best_interval_is_best_and_near_those_of_young_and_daly) {
  for (const double write : {1.0, 30.0, 300.0, 1800.0})
    for (const double mtbf : {1.0, 3.0, 24.0, 1000.0}) {
      const double rate = 1 / (mtbf * kHourSeconds), best = best_interval(write, rate);
      const auto share = [&](double tau) { return tau / expected_segment(tau, write, rate, 600, 300); };
      EXPECT_GE(share(best), share(best * 1.01)) << write << " " << mtbf;
      EXPECT_GE(share(best), share(best * 0.99)) << write << " " << mtbf;
      if (write * rate > 0.05) continue;
      EXPECT_NEAR(daly_interval(write, rate) / best, 1, 0.003) << write << " " << mtbf;
      EXPECT_NEAR(young_interval(write, rate) / best, 1, std::sqrt(write * rate));
    }
}

TEST(GoodputClosedForm, a_failure_loses_half_an_interval_where_it_is_rare) {
  EXPECT_NEAR(expected_loss(1000, 20, 1e-7), 510, 0.1);
  EXPECT_LT(expected_loss(1e6, 20, 1e-5), 5e5);  // the first of several ends the segment
}

TEST(GoodputClosedForm, spares_follow_poisson) {
  TrainingJob job;
  job.causes = {{.name = "GPU", .rate = 1.0 / kHourSeconds, .detection = 0, .nodes = 1}};
  job.spares.repair = kHourSeconds;  // one in repair on average
  EXPECT_NEAR(spares_short(job, 0), 1 - std::exp(-1), 1e-12);
  EXPECT_NEAR(spares_short(job, 3), 0.018988, 1e-6);
  EXPECT_EQ(spares_needed(job, 0.01), 4U);
}

TEST(GoodputClosedForm, slow_servers_cost_the_time_they_are_there) {
  TrainingJob job{.causes = {}, .work = 1e6, .interval = 1000, .stall = 0, .stragglers = {1e-4, 0.25, 3600}};
  // A straggler is there for 1 - e^(-0.36) of the time, in which four fifths are done; each exchange costs nothing here.
  EXPECT_NEAR(expected_share(job), 1 - (1 - std::exp(-0.36)) * 0.2, 1e-12);
}

}  // namespace
}  // namespace railyard
