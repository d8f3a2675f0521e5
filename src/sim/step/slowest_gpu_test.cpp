#include "sim/step/slowest_gpu.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(SlowestGpu, the_largest_of_many_normal_values) {
  // Tippett's table of 1925: means of the largest of a sample.
  EXPECT_NEAR(expected_largest(1), 0, 1e-6);
  EXPECT_NEAR(expected_largest(2), 0.56419, 1e-5);
  EXPECT_NEAR(expected_largest(10), 1.53875, 1e-5);
  EXPECT_NEAR(expected_largest(100), 2.50759, 1e-5);
  EXPECT_NEAR(expected_largest(1000), 3.24144, 1e-5);
}

TEST(SlowestGpu, grows_with_the_job_and_never_turns) {
  double last = -1;
  for (std::uint32_t count = 1; count < 400'000; count += 1 + count / 3) {
    const double largest = expected_largest(count);
    EXPECT_GT(largest, last) << count;
    last = largest;
  }
  EXPECT_LT(last, 5);
}

WorkloadPlan job(std::uint32_t gpus) {
  WorkloadPlan plan;
  plan.gpus = gpus;
  plan.gpu.emplace();
  plan.gpu->step.gpu_spread = 0.02;
  return plan;
}

TEST(SlowestGpu, one_gpu_waits_for_nobody) { EXPECT_EQ(compute_slowdown(job(1)), 1); }

TEST(SlowestGpu, all_wait_for_the_slowest) {
  EXPECT_NEAR(compute_slowdown(job(10)), 1 + 0.02 * 1.53875, 1e-6);
  WorkloadPlan own = job(10);
  own.training.gpu_spread = 0.01;
  EXPECT_NEAR(compute_slowdown(own), 1 + 0.01 * 1.53875, 1e-6);
  own.training.gpu_spread = 0;
  own.training.straggler = 0.25;
  EXPECT_EQ(compute_slowdown(own), 1.25);
}

}  // namespace
}  // namespace railyard
