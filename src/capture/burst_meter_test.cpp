#include "capture/burst_meter.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(BurstMeter, bursts_are_busy_bins_in_a_row) {
  BurstMeter meter(1000, BitsPerSecond::zero());
  for (const std::int64_t bin : {0, 1, 2, 5, 6, 9}) meter.add(bin * 1000 + 1, 100);
  meter.finish();
  EXPECT_EQ(meter.burst_bins().count(), 3U);
  EXPECT_EQ(meter.burst_bins().max(), 3);
  EXPECT_EQ(meter.burst_bins().min(), 1);
  EXPECT_EQ(meter.gap_bins().count(), 2U);
  EXPECT_EQ(meter.gap_bins().max(), 2);
  EXPECT_DOUBLE_EQ(meter.duty_cycle(), 0.6);
}

TEST(BurstMeter, rates_are_bytes_over_bins) {
  BurstMeter meter(10'000, 100_Gbps);
  meter.add(0, 1250);
  meter.add(15'000, 125'000);
  meter.finish();
  EXPECT_DOUBLE_EQ(meter.peak_bps(), 100e9);
  EXPECT_DOUBLE_EQ(meter.mean_bps(), 50.5e9);
}

TEST(BurstMeter, a_bin_below_a_hundredth_of_the_link_is_idle) {
  BurstMeter meter(10'000, 100_Gbps);  // 1,250 bytes are 1 %
  meter.add(0, 1251);
  meter.add(10'000, 1250);
  meter.add(20'000, 1251);
  meter.finish();
  EXPECT_EQ(meter.burst_bins().count(), 2U);
  EXPECT_EQ(meter.gap_bins().max(), 1);
}

}  // namespace
}  // namespace railyard
