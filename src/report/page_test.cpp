#include "report/page.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace railyard {
namespace {

std::size_t count(std::string_view text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + what.size())) found++;
  return found;
}

Document evil() {
  Document data = Document::object();
  data.set("title", Document(std::string("</script><script>alert(1)</script><!-- <script> -->")));
  data.set("<b>", Document(std::int64_t{7}));
  return data;
}

TEST(Page, no_text_ends_the_script_early) {
  EXPECT_EQ(count(page_data(evil()), "<"), 0U);
  const std::string empty = page(Document::object()), full = page(evil());
  EXPECT_EQ(count(full, "</script"), count(empty, "</script"));
  EXPECT_EQ(count(full, "<script"), count(empty, "<script"));
  EXPECT_EQ(count(full, "<!--"), count(empty, "<!--"));
}

TEST(Page, data_is_the_document_and_nothing_else) {
  EXPECT_EQ(
      page_data(evil()),
      "{\"title\":\"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!-- \\u003cscript> -->\",\"\\u003cb>\":7}");
  const std::string full = page(evil());
  const std::string expected = "<script type=\"application/json\" id=\"data\">" + page_data(evil()) + "</script>";
  EXPECT_EQ(count(full, expected), 1U);
  EXPECT_EQ(full.size(), embedded_page().size() + page_data(evil()).size());
}

TEST(Page, it_loads_nothing) {
  const std::string_view empty = embedded_page();
  EXPECT_TRUE(empty.starts_with("<!doctype html>"));
  EXPECT_EQ(count(empty, " src="), 0U);
  EXPECT_EQ(count(empty, "<link"), 0U);
  EXPECT_EQ(count(empty, "@import"), 0U);
  EXPECT_EQ(count(empty, "url("), count(empty, "url(#"));  // parts of its own drawings
  EXPECT_LT(empty.size(), 1'200'000U);
}

}  // namespace
}  // namespace railyard
