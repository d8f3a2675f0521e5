#include "answer/hardware.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(Hardware, cost_is_parts_power_and_price_as_far_as_known) {
  Hardware before{.nics = 512,
                  .switches = 8,
                  .cables = 768,
                  .link_rate = 400_Gbps,
                  .ports = 128,
                  .switch_model = "Tomahawk-5",
                  .switch_watts = {},
                  .optics_watts = 10'000,
                  .switch_price = {},
                  .price_date = {}};
  Hardware after = before;
  EXPECT_EQ(cost_of_change(before, after), "the same switches and cables, wired anew");
  after.switches = 12, after.cables = 1024, after.optics_watts = 14'096;
  EXPECT_EQ(cost_of_change(before, after),
            "4 switches and 256 cables more; optics draw 4.096 kW more (what a Tomahawk-5 draws is not known)");
  before.switch_watts = after.switch_watts = 900;
  EXPECT_EQ(cost_of_change(before, after), "4 switches and 256 cables more; switches and optics draw 7.696 kW more");
  after.switch_price = Dollars(50'000), after.price_date = "2024-08";
  EXPECT_EQ(cost_of_change(before, after),
            "4 switches and 256 cables more; switches and optics draw 7.696 kW more; 4 × about 50,000 USD for switches "
            "(2024-08)");
  EXPECT_EQ(cost_of_change(after, before), "4 switches and 256 cables fewer; switches and optics draw 7.696 kW less");
  after = before, after.link_rate = 800_Gbps;
  EXPECT_EQ(cost_of_change(before, after), "512 NICs, 8 switches of 128 ports and 768 cables for 800 Gb/s instead of 400 Gb/s");
}

}  // namespace
}  // namespace railyard
