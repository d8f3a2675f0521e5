#include "base/printable.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(Printable, plain_text_of_any_language_stays) {
  for (const char* text : {"", "400 Gb/s", "13.2 µs – “größer” ≤ 5", "日本語", "🚂"}) EXPECT_EQ(printable(text), text);
}

TEST(Printable, nothing_steers_a_terminal) {
  EXPECT_EQ(printable("\x1b[31m\r\n\t\x7f"), "?[31m????");
  EXPECT_EQ(printable("a\xC2\x9B"
                      "31mb"),
            "a?31mb");                             // U+009B: CSI in one character
  EXPECT_EQ(printable("\xC2\x85\xC2\x90"), "??");  // next line, DCS
  EXPECT_EQ(printable("\x9B"
                      "31m"),
            "?31m");  // the same in one byte
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "gpj.exe"),
            "?gpj.exe");                      // right to left
  EXPECT_EQ(printable("\xE2\x80\xA8"), "?");  // line separator
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a?b");
}

TEST(Printable, what_is_no_utf8_shows_as_such) {
  EXPECT_EQ(printable("\xC3"), "?");
  EXPECT_EQ(printable("\xC0\x9B"), "??");            // U+001B written long
  EXPECT_EQ(printable("\xE0\x82\x9B"), "???");       // U+009B written long
  EXPECT_EQ(printable("\xED\xA0\x80"), "???");       // half of a pair
  EXPECT_EQ(printable("\xF5\x80\x80\x80"), "????");  // beyond the last character
  EXPECT_EQ(printable("\xE2\x82x"), "??x");
}

TEST(Printable, lines_stay_where_they_are_meant) { EXPECT_EQ(printable_lines("a\tb\n\x1b\xC2\x9B"), "a\tb\n??"); }

TEST(Printable, the_beginning_of_a_character_is_known) {
  for (const auto& [text, bytes] : std::vector<std::pair<std::string, std::size_t>>{{"", 0},
                                                                                    {"a", 0},
                                                                                    {"ä", 0},
                                                                                    {"a\xC3", 1},
                                                                                    {"\xE2\x82", 2},
                                                                                    {"€", 0},
                                                                                    {"\xF0\x9F\x9A", 3},
                                                                                    {"\x82", 0},
                                                                                    {"\x82\x82\x82\x82", 0}})
    EXPECT_EQ(unfinished_bytes(text), bytes) << text;
}

TEST(Printable, a_cell_of_a_table_is_quoted_where_it_must_be) {
  EXPECT_EQ(csv_cell("plain text"), "plain text");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"a\""), "\"say \"\"a\"\"\"");
  EXPECT_EQ(csv_cell("a\nb\x1b"), "a?b?");
}

}  // namespace
}  // namespace railyard
