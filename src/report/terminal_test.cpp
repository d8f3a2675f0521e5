#include <gtest/gtest.h>

#include <sstream>

#include "report/report.h"

namespace railyard {
namespace {

std::string written(const Report& report, std::size_t width) {
  std::ostringstream out;
  write_terminal(report, width, out);
  return out.str();
}

TEST(Terminal, tables_are_aligned_and_count_characters_not_bytes) {
  const Report report{"T", {{"", {TextTable{{"time", "what"}, {Align::right}, {{"13.2 µs", "a"}, {"1 ps", "b"}}}}}}};
  EXPECT_EQ(written(report, 80),
            "T\n=\n"
            "     time  what\n"
            "  -------  ----\n"
            "  13.2 µs  a\n"
            "     1 ps  b\n");
}

TEST(Terminal, the_last_column_wraps_to_the_width) {
  const Report report{"T", {{"S", {TextTable{{"k", "v"}, {}, {{"key", "one two three four five six seven eight nine"}}}}}}};
  const std::string text = written(report, 30);
  EXPECT_EQ(text,
            "T\n=\n\nS\n-\n"
            "  k    v\n"
            "  ---  -----------------------\n"
            "  key  one two three four five\n"
            "       six seven eight nine\n");
}

TEST(Terminal, paragraphs_wrap_at_blanks_and_long_words_stay_whole) {
  EXPECT_EQ(wrap("aa bb  cc", 5), (std::vector<std::string>{"aa bb", "cc"}));
  EXPECT_EQ(wrap("a incomprehensible b", 5), (std::vector<std::string>{"a", "incomprehensible", "b"}));
  EXPECT_TRUE(wrap("", 5).empty());
}

TEST(Terminal, paragraphs_are_never_wider_than_can_be_read) {
  const std::string text = written({"t", {{"", {std::string(400, 'x').replace(90, 1, " ").replace(180, 1, " ")}}}}, 200);
  EXPECT_EQ(text.find('\n', 4) - 4, 90U) << text;
}

TEST(Terminal, long_texts_wrap_at_a_blank) {
  EXPECT_EQ(shortened("one two three", 20), "one two three");
  EXPECT_EQ(shortened("one two three", 9), "one two …");
  EXPECT_EQ(shortened("unbreakable", 4), "unbr …");
}

TEST(Terminal, control_characters_do_not_reach_the_terminal) {
  EXPECT_EQ(written({"a\x1b[31mb", {{"", {std::string("x\ty")}}}}, 80), "a?[31mb\n=======\nx?y\n");
}

TEST(Terminal, a_table_that_is_too_wide_comes_in_parts_with_the_first_column) {
  Report report{"t", {}};
  report.sections.push_back({"", {}});
  report.sections.back().blocks.emplace_back(
      TextTable{{"model", "aaaaaaaaaaaa", "bbbbbbbbbbbb", "c"}, {Align::left, Align::right}, {{"m", "1", "2", "3"}}});
  std::ostringstream narrow, wide;
  write_terminal(report, 30, narrow);
  write_terminal(report, 80, wide);
  EXPECT_EQ(narrow.str(),
            "t\n=\n  model  aaaaaaaaaaaa\n  -----  ------------\n  m                 1\n\n"
            "  model  bbbbbbbbbbbb  c\n  -----  ------------  -\n  m      2             3\n");
  EXPECT_EQ(wide.str(),
            "t\n=\n  model  aaaaaaaaaaaa  bbbbbbbbbbbb  c\n  -----  ------------  ------------  -\n  m                 1  2    "
            "         3\n");
}

/// One table alone, without the title.
std::string table_text(const TextTable& table, std::size_t width) { return written({"t", {{"", {table}}}}, width).substr(4); }

TEST(Terminal, parts_of_a_table_repeat_all_columns_that_name_a_row) {
  const TextTable table{{"kind", "of", "aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "dddddddddd"},
                        {},
                        {{"k", "x", "1", "2", "3", "4"}, {"k", "y", "5", "6", "7", "8"}}};
  EXPECT_EQ(table_text(table, 36),
            "  kind  of  aaaaaaaaaa  bbbbbbbbbb\n"
            "  ----  --  ----------  ----------\n"
            "  k     x   1           2\n"
            "  k     y   5           6\n"
            "\n"
            "  kind  of  cccccccccc  dddddddddd\n"
            "  ----  --  ----------  ----------\n"
            "  k     x   3           4\n"
            "  k     y   7           8\n");
}

TEST(Terminal, an_empty_first_cell_is_as_the_one_above_it) {
  const TextTable table{{"where", "in", "aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "dddddddddd"},
                        {},
                        {{"k", "x", "1", "2", "3", "4"}, {"", "y", "5", "6", "7", "8"}, {"l", "x", "1", "2", "3", "4"}}};
  EXPECT_NE(table_text(table, 37).find("\n  where  in  cccccccccc  dddddddddd\n"), std::string::npos) << table_text(table, 37);
}

TEST(Terminal, words_of_a_last_column_are_cut_where_they_are_too_long) {
  EXPECT_EQ(table_text({{"key", "source"}, {}, {{"k", "NCCL's default (NCCL_IB_QPS_PER_CONNECTION)"}}}, 23),
            "  key  source\n"
            "  ---  ----------------\n"
            "  k    NCCL's default\n"
            "       (NCCL_IB_QPS_\n"
            "       PER_CONNECTION)\n");
}

TEST(Terminal, texts_of_a_last_column_may_be_cut_to_a_line) {
  const TextTable table{{"key", "source"}, {}, {{"k", "one two three four five six"}}, 9};
  EXPECT_EQ(table_text(table, 60), "  key  source\n  ---  ---------------------------\n  k    one two three four five six\n");
  EXPECT_NE(table_text(table, 27).find("  k    one two three four …\n"), std::string::npos) << table_text(table, 27);
}

TEST(Terminal, a_last_column_does_not_stand_alone) {
  const TextTable four{{"m", "aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd"}, {}, {{"x", "1", "2", "3", "4"}}};
  EXPECT_EQ(table_text(four, 34),  // three would fit, and leave one
            "  m  aaaaaaaa  bbbbbbbb\n"
            "  -  --------  --------\n"
            "  x  1         2\n"
            "\n"
            "  m  cccccccc  dddddddd\n"
            "  -  --------  --------\n"
            "  x  3         4\n");
  const TextTable three{{"m", "share of aa", "share of bb", "share of cc"},
                        {Align::left, Align::right, Align::right, Align::right},
                        {{"x", "10.1 %", "2", "3"}}};
  EXPECT_EQ(table_text(three, 34),  // two would fit, and leave one
            "  m  share of  share of   share of\n"
            "           aa        bb         cc\n"
            "  -  --------  --------  ---------\n"
            "  x    10.1 %         2          3\n");
}

TEST(Note, says_nothing_of_columns_that_are_not_there) {
  const std::string note =
      "Claimed: by the documents. Published: by those who built it. Constraint, found: what takes most. Of peak.";
  EXPECT_EQ(note_without(note, {"model", "GPUs claimed", "published", "found"}, {}), note);
  EXPECT_EQ(note_without(note, {"model", "simulated", "found"}, {"GPUs claimed", "published", "constraint claimed"}),
            "Constraint, found: what takes most. Of peak.");
  EXPECT_EQ(note_without("Prices: they age.", {"model"}, {"cost claimed"}), "Prices: they age.");  // no column is called that
  EXPECT_EQ(note_without("", {}, {"x"}), "");
}

}  // namespace
}  // namespace railyard
