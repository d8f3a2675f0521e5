#include <gtest/gtest.h>

#include "measured/fixtures.h"

namespace railyard {
namespace {

TrainingLog only_training(const std::string& text) {
  const Measurements all = measured_in(text);
  EXPECT_EQ(all.trainings.size(), 1U);
  return all.trainings.empty() ? TrainingLog() : all.trainings.front();
}

TEST(TrainingLog, megatron) {
  const std::string text =
      "using world size: 64, data-parallel size: 8\n"
      " [2026-01-02 03:04:05] iteration      100/  500000 | consumed samples:        51200 | elapsed time per iteration (ms): "
      "12345.6 | throughput per GPU (TFLOP/s/GPU): 401.2 | learning rate: 1.000000E-04 | global batch size:   512 | lm loss: "
      "2.500000E+00 | grad norm: 0.700 |\n"
      " [2026-01-02 03:04:18] iteration      101/  500000 | consumed samples:        51712 | elapsed time per iteration (ms): "
      "124\n";
  const TrainingLog log = only_training(text);
  EXPECT_EQ(log.framework, "Megatron-LM");
  EXPECT_EQ(log.gpus, 64U);
  ASSERT_EQ(log.steps.size(), 2U);
  EXPECT_EQ(log.steps[0].number, 100U);
  EXPECT_DOUBLE_EQ(log.steps[0].seconds, 12.3456);
  EXPECT_DOUBLE_EQ(log.steps[0].tflops.value_or(0), 401.2);
  EXPECT_DOUBLE_EQ(log.steps[0].loss.value_or(0), 2.5);
  EXPECT_EQ(log.steps[0].batch, 512U);
  EXPECT_EQ(log.steps[0].where.line, 2U);
  const Measurements cut = measured_in(text.substr(0, text.size() - 1));
  EXPECT_EQ(cut.trainings.at(0).steps.size(), 1U) << "the last number may go on";
  EXPECT_EQ(cut.skipped.size(), 1U);
  expect_prefixes_hold(text);
}

TEST(TrainingLog, nemo) {
  const TrainingLog log = only_training(
      "0: Training epoch 0, iteration 12/99 | lr: 9.8e-08 | global_batch_size: 128 | global_step: 12 | reduced_train_loss: "
      "6.25 | "
      "train_step_timing in s: 3.21 | tokens_per_sec_per_gpu: 1.073e+04 | TFLOPS_per_GPU: 512.5\n");
  EXPECT_EQ(log.framework, "NeMo");
  ASSERT_EQ(log.steps.size(), 1U);
  EXPECT_EQ(log.steps[0].number, 12U);
  EXPECT_DOUBLE_EQ(log.steps[0].seconds, 3.21);
  EXPECT_DOUBLE_EQ(log.steps[0].tokens_per_second.value_or(0), 10730);
  EXPECT_DOUBLE_EQ(log.steps[0].tflops.value_or(0), 512.5);
  EXPECT_EQ(log.steps[0].batch, 128U);
  EXPECT_EQ(log.steps[0].rank, 0U);
}

TEST(TrainingLog, torchtitan_with_colours_and_two_ranks) {
  const auto line = [](int rank, int step, const char* clock) {
    return "[rank" + std::to_string(rank) + "]:[titan] 2026-01-02 " + clock +
           " - root - INFO - \x1b[31mstep: " + std::to_string(step) +
           "  \x1b[32mloss:  4.5000  \x1b[33mmemory: 40.00GiB(50.00%)  \x1b[34mtps: 7,250  \x1b[36mtflops: 410.50  "
           "\x1b[35mmfu: 41.50%\x1b[39m\n";
  };
  const TrainingLog log = only_training(line(0, 10, "23:59:55,500") + line(1, 10, "23:59:55,700") +
                                        line(0, 20, "00:00:15,500") + line(1, 20, "00:00:16,700"));
  EXPECT_EQ(log.framework, "torchtitan");
  ASSERT_EQ(log.steps.size(), 4U);
  EXPECT_EQ(log.steps[0].seconds, 0) << "nothing came before it";
  EXPECT_NEAR(log.steps[2].seconds, 2.0, 1e-9) << "ten steps in twenty seconds, past midnight";
  EXPECT_NEAR(log.steps[3].seconds, 2.1, 1e-9);
  EXPECT_EQ(log.steps[3].rank, 1U);
  EXPECT_DOUBLE_EQ(log.steps[0].tokens_per_second.value_or(0), 7250);
  EXPECT_DOUBLE_EQ(log.steps[0].tflops.value_or(0), 410.5);
  EXPECT_DOUBLE_EQ(log.steps[0].loss.value_or(0), 4.5);
}

}  // namespace
}  // namespace railyard
