#include "base/units.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(Units, time_rounds_up_so_that_a_link_never_runs_fast) {
  EXPECT_EQ(transmit_time(1_B, 3200_Gbps), 3_ps);  // 2.5 ps
  EXPECT_EQ(transmit_time(4096_B, 400_Gbps), 81'920_ps);
  EXPECT_EQ(transmit_time(Bytes::zero(), 1_bps), Picoseconds::zero());
}

TEST(Units, a_tebibyte_on_a_slow_link_does_not_overflow) {
  EXPECT_EQ(transmit_time(Bytes(std::int64_t{1} << 40), 1000_Mbps).count(), 8796093022208000);
}

TEST(Units, bytes_in_a_span_never_exceed_what_the_span_was_made_for) {
  for (std::int64_t size = 1; size < 5000; size += 37)
    EXPECT_GE(bytes_in(transmit_time(Bytes(size), 399_Gbps), 399_Gbps), Bytes(size));
}

TEST(Units, light_in_fibre_takes_five_nanoseconds_a_metre) {
  EXPECT_EQ(propagation_time(99_m), 500_ns);
  EXPECT_EQ(propagation_time(1_m), Picoseconds(5051));
  EXPECT_EQ(propagation_time(Millimetres(0)), Picoseconds::zero());
}

}  // namespace
}  // namespace railyard
