#include "base/printed_text.h"

#include <gtest/gtest.h>

namespace railyard::printed {
namespace {

TEST(PrintedText, whole_numbers_are_all_of_a_text) {
  EXPECT_EQ(whole_number(" 26 "), 26U);
  EXPECT_EQ(whole_number("0x1f"), 31U);
  EXPECT_FALSE(whole_number("26,"));
  EXPECT_FALSE(whole_number("64", 63));
  EXPECT_FALSE(whole_number(""));
}

TEST(PrintedText, colours_go_and_text_stays) {
  EXPECT_EQ(without_escapes("\x1b[31mstep: 4\x1b[0m end\n\x1b[1;3"), "step: 4 end\n");
}

TEST(PrintedText, cells_lie_under_their_dashes) {
  const auto starts = column_starts("-----  ---  --");
  ASSERT_EQ(starts.size(), 3U);
  const auto cells = cells_of("Eth 0  12", starts);
  EXPECT_EQ(cells[0], "Eth 0");
  EXPECT_EQ(cells[1], "12");
  EXPECT_EQ(cells[2], "");
  EXPECT_TRUE(column_starts("--- not dashes").empty());
}

TEST(PrintedText, lines_have_numbers_and_no_ends) {
  const auto lines = numbered_lines("a\r\n\nlast");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].text, "a");
  EXPECT_EQ(lines[2].number, 3U);
}

}  // namespace
}  // namespace railyard::printed
