#include "analysis/patterns/bursts.h"

#include <gtest/gtest.h>

#include "analysis/patterns/over_time.h"

namespace railyard {
namespace {

/// `count` pulses of 100 Gb/s, `on` long and `period` apart.
std::vector<RateSpan> pulses(int count, Picoseconds on, Picoseconds period, std::uint32_t row = 0) {
  std::vector<RateSpan> spans;
  for (int i = 0; i < count; i++) spans.push_back({period * i, period * i + on, 100e9, row});
  return spans;
}

TEST(RateSteps, overlapping_spans_add_up_and_leave_nothing_behind) {
  const std::vector<RateStep> steps = rate_steps({{0_us, 30_us, 0.1e9, 0}, {10_us, 20_us, 0.2e9, 0}}, 50_us);
  ASSERT_EQ(steps.size(), 5U);
  EXPECT_DOUBLE_EQ(steps[0].bps, 0.1e9);
  EXPECT_DOUBLE_EQ(steps[1].bps, 0.1e9 + 0.2e9);
  EXPECT_EQ(steps[1].at, 10_us);
  EXPECT_NEAR(steps[2].bps, 0.1e9, 1);
  EXPECT_EQ(steps[3].bps, 0);
  EXPECT_EQ(steps[4].at, 50_us);
}

TEST(RateSteps, bins_hold_what_steps_hold_whatever_their_width) {
  const std::vector<RateStep> steps = rate_steps(pulses(7, 13_us, 31_us), 220_us);
  for (const Picoseconds width : {1_us, 7_us, 10_us, 44_us, 500_us}) {
    double bits = 0;
    std::int64_t bins = 0;
    for (const BinRun& run : bin_runs(steps, width)) {
      bits += run.bps * static_cast<double>(run.bins) * seconds(width);
      bins += static_cast<std::int64_t>(run.bins);
    }
    EXPECT_NEAR(bits, 7 * 13e-6 * 100e9, 1) << width.count();
    EXPECT_EQ(bins, (220_us + width - Picoseconds(1)) / width);
  }
}

TEST(Bursts, peak_to_mean_of_a_square_wave_is_one_over_its_duty_cycle) {
  const std::vector<RateStep> steps = rate_steps(pulses(100, 1000_us, 4000_us), 400'000_us);
  for (const Picoseconds resolution : {10_us, 100_us, 1000_us}) {
    const Burstiness b = burstiness(steps, 400e9, resolution);
    EXPECT_DOUBLE_EQ(b.peak_gbps, 100);
    EXPECT_NEAR(b.mean_gbps, 25, 1e-9);
    EXPECT_NEAR(b.peak_to_mean, 4, 1e-9);
    EXPECT_NEAR(b.duty_cycle, 0.25, 1e-12);
  }
}

TEST(Bursts, lengths_and_gaps_are_those_of_the_pulses) {
  const Burstiness b = burstiness(rate_steps(pulses(10, 200_us, 500_us), 5000_us), 400e9, 10_us);
  EXPECT_EQ(b.bursts, 10U);
  EXPECT_NEAR(b.burst_s.mean, 200e-6, 1e-12);
  EXPECT_NEAR(b.burst_s.max, 200e-6, 1e-12);
  EXPECT_NEAR(b.gap_s.mean, 300e-6, 1e-12);  // between pulses alone: what comes after the last is none
  EXPECT_NEAR(b.gap_s.max, 300e-6, 1e-12);
}

TEST(Bursts, pulses_shorter_than_a_bin_become_one_burst) {
  const Burstiness b = burstiness(rate_steps(pulses(100, 20_us, 50_us), 5000_us), 400e9, 100_us);
  EXPECT_EQ(b.bursts, 1U);
  EXPECT_NEAR(b.peak_to_mean, 1, 1e-9);
  EXPECT_NEAR(b.duty_cycle, 1, 1e-12);
}

TEST(Bursts, a_trickle_below_one_percent_of_the_capacity_is_no_burst) {
  const Burstiness b = burstiness(rate_steps({{0_us, 1000_us, 3.9e9, 0}}, 1000_us), 400e9, 10_us);
  EXPECT_EQ(b.bursts, 0U);
  EXPECT_EQ(b.duty_cycle, 0);
  EXPECT_NEAR(b.mean_gbps, 3.9, 1e-9);
}

TEST(Bursts, the_period_of_a_pulse_train_is_found) {
  const auto found = period_of(rate_steps(pulses(40, 700_us, 2500_us), 100'000_us), 10_us);
  ASSERT_TRUE(found);
  EXPECT_NEAR(seconds(found->time), 2500e-6, 20e-6);
  EXPECT_GT(found->strength, 0.9);
}

TEST(Bursts, one_pulse_and_a_constant_rate_have_no_period) {
  EXPECT_FALSE(period_of(rate_steps(pulses(1, 700_us, 2500_us), 100'000_us), 10_us));
  EXPECT_FALSE(period_of(rate_steps({{0_us, 100'000_us, 1e9, 0}}, 100'000_us), 10_us));
}

TEST(Bursts, autocorrelation_of_an_alternating_series_alternates) {
  std::vector<double> values;
  for (int i = 0; i < 64; i++) values.push_back(i % 2);
  const std::vector<double> correlation = autocorrelation(values);
  ASSERT_EQ(correlation.size(), 33U);
  for (std::size_t lag = 0; lag < correlation.size(); lag++) EXPECT_NEAR(correlation[lag], lag % 2 ? -1 : 1, 1e-9);
}

double bits_of(const OverTime& series) {
  double bits = 0;
  for (const OverTime::Row& row : series.rows)
    for (const double gbps : row.gbps) bits += gbps * 1e9 * series.bin_s;
  return bits;
}

TEST(OverTime, rows_integrate_to_what_was_sent) {
  std::vector<RateSpan> spans = pulses(9, 13'100_us, 31'000_us);
  for (const RateSpan& span : pulses(3, 50_us, 100'000_us, 1)) spans.push_back(span);
  const OverTime series = over_time(spans, {"all_gather (parameters)", "send (boundary)", "nothing"}, 280'000_us, 600);
  ASSERT_EQ(series.rows.size(), 2U);
  EXPECT_EQ(series.rows[1].name, "send (boundary)");
  EXPECT_EQ(series.rows[0].gbps.size(), 600U);
  EXPECT_NEAR(bits_of(series), (9 * 13.1e-3 + 3 * 50e-6) * 100e9, 1e3);
}

TEST(OverTime, an_excerpt_shows_the_fullest_moment) {
  std::vector<RateSpan> spans = pulses(10, 1000_us, 10'000_us);
  spans.push_back({70'200_us, 70'600_us, 100e9, 1});
  const OverTime shown = excerpt_of(spans, {"a", "b"}, rate_steps(spans, 100'000_us), 10_us, 500);
  EXPECT_NEAR(shown.bin_s, 10e-6, 1e-15);
  EXPECT_NEAR(shown.from_s, 70.5e-3 - 2.5e-3, 1e-9);
  ASSERT_EQ(shown.rows.size(), 2U);
  EXPECT_NEAR(bits_of(shown), 1.4e-3 * 100e9, 1e3);
}

TEST(OverTime, an_excerpt_of_a_short_run_is_all_of_it) {
  const std::vector<RateSpan> spans = pulses(2, 15_us, 30_us);
  const OverTime shown = excerpt_of(spans, {"a"}, rate_steps(spans, 55_us), 10_us, 500);
  EXPECT_EQ(shown.from_s, 0);
  EXPECT_EQ(shown.rows[0].gbps.size(), 6U);
  EXPECT_NEAR(bits_of(shown), 30e-6 * 100e9, 1);
}

}  // namespace
}  // namespace railyard
