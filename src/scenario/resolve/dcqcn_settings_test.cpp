#include "scenario/resolve/dcqcn_settings.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(DcqcnSettings, a_table_changes_what_it_gives) {
  DcqcnPlan usual;
  usual.rpg_ai_rate = 7_Mbps;
  EXPECT_EQ(with_settings(usual, DcqcnTable{}, 400_Gbps), usual);
  DcqcnTable table;
  table.given.emplace();
  table.given->rpg_threshold = 5;
  DcqcnPlan expected = usual;
  expected.rpg_threshold = 5;
  EXPECT_EQ(with_settings(usual, table, 400_Gbps), expected);
  table.given->enabled = false;
  EXPECT_FALSE(with_settings(usual, table, 400_Gbps).reacts);
  EXPECT_FALSE(with_settings(usual, table, 400_Gbps).notifies);
}

TEST(DcqcnSettings, a_preset_stands_for_all_that_is_not_given) {
  DcqcnPlan usual;
  usual.rpg_ai_rate = 7_Mbps;
  DcqcnTable table;
  table.given.emplace();
  table.given->preset = DcqcnPreset::amd_pollara;
  table.has_preset = true;
  EXPECT_EQ(with_settings(usual, table, 400_Gbps).rpg_ai_rate, 160_Mbps);
  usual.enabled = false;
  EXPECT_FALSE(with_settings(usual, table, 400_Gbps).enabled) << "where nobody does DCQCN, no host does";
}

TEST(DcqcnSettings, what_tools_print_is_in_nvidias_units) {
  NicConfig nic;
  nic.dcqcn = {
      {"rpg_time_reset", 55}, {"rpg_byte_reset", 100'000}, {"rpg_ai_rate", 40}, {"clamp_tgt_rate", 1}, {"dce_tcp_g", 960}};
  const DcqcnPlan plan = with_settings(DcqcnPlan{}, nic, 3);
  EXPECT_EQ(plan.rpg_time_reset, 55_us);
  EXPECT_EQ(plan.rpg_byte_reset, Bytes(100'000));
  EXPECT_EQ(plan.rpg_ai_rate, 40_Mbps);
  EXPECT_TRUE(plan.clamp_tgt_rate);
  EXPECT_EQ(plan.dce_tcp_g, 960U);
  EXPECT_EQ(plan.rpg_threshold, DcqcnPlan{}.rpg_threshold) << "what is not printed stays";
}

TEST(DcqcnSettings, points_are_on_for_some_priorities) {
  NicConfig nic;
  EXPECT_TRUE(with_settings(DcqcnPlan{}, nic, 3).reacts) << "nothing is said";
  nic.ecn_rp = 0xf7;
  nic.ecn_np = 0x08;
  EXPECT_FALSE(with_settings(DcqcnPlan{}, nic, 3).reacts);
  EXPECT_TRUE(with_settings(DcqcnPlan{}, nic, 3).notifies);
  EXPECT_TRUE(with_settings(DcqcnPlan{}, nic, 5).reacts);
  EXPECT_FALSE(with_settings(DcqcnPlan{}, nic, 5).notifies);
}

}  // namespace
}  // namespace railyard
