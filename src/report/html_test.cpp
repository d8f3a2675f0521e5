#include "report/html.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(Html, no_text_becomes_markup) {
  EXPECT_EQ(escaped_markup("a <b> & \"c\"\x01"), "a &lt;b&gt; &amp; &quot;c&quot;?");
  const std::string page = write_html({"<script>", {{"", {std::string("</p><script>alert(1)</script>")}}}});
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

TEST(Html, tables_keep_rows_alignment_and_outcomes) {
  const TextTable table{{"what", "GB/s", "outcome"}, {Align::left, Align::right}, {{"all_reduce", "391", "pass"}}};
  const std::string page = write_html({"Report", {{"Baseline", {table}}}});
  EXPECT_NE(page.find("<h2>Baseline</h2>"), std::string::npos);
  EXPECT_NE(page.find("<td>all_reduce</td><td class=\"right\">391</td><td class=\"pass\">pass</td>"), std::string::npos);
}

}  // namespace
}  // namespace railyard
