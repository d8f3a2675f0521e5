#include "telemetry/flow_series.h"

#include <gtest/gtest.h>

#include <numeric>

namespace railyard {
namespace {

TEST(FlowSeries, joins_bins_and_keeps_every_bit) {
  Timeline line(2);
  const Picoseconds width = line.width();
  line.add(0, Picoseconds(0), width * 300, 1e12);
  line.add(1, width * 299, width * 300, 3e12);
  const FlowSpell spell = spell_of(line, Picoseconds(0), width * 300);
  EXPECT_EQ(spell.width, width * 4);
  ASSERT_EQ(spell.bins, 75U);
  ASSERT_EQ(spell.bits.size(), 2 * 75U);
  const double bin = seconds(width);
  for (std::size_t i = 0; i < 75; i++) EXPECT_DOUBLE_EQ(spell.bits[i], 4e12 * bin);
  EXPECT_DOUBLE_EQ(std::accumulate(spell.bits.begin() + 75, spell.bits.end(), 0.0), 3e12 * bin);
  EXPECT_DOUBLE_EQ(spell.bits.back(), 3e12 * bin);
}

TEST(FlowSeries, of_a_timeline_with_few_bins_has_the_same) {
  Timeline line(1);
  line.add(0, line.width(), line.width() * 2, 8e12);
  const FlowSpell spell = spell_of(line, line.width(), line.width() * 2);
  EXPECT_EQ(spell.width, line.width());
  EXPECT_EQ(spell.bits, (std::vector<double>{0, 8e12 * seconds(line.width())}));
}

TEST(FlowSeries, of_nothing_is_empty) {
  const FlowSpell spell = spell_of(Timeline(3), Picoseconds(0), Picoseconds(0));
  EXPECT_EQ(spell.bins, 0U);
  EXPECT_TRUE(spell.bits.empty());
}

}  // namespace
}  // namespace railyard
