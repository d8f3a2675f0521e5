#include "base/document.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "base/toml.h"

namespace railyard {
namespace {

Document toml(std::string_view text) {
  Result<Document> parsed = parse_toml(text, "t.toml", "RY-TST-001");
  EXPECT_TRUE(parsed) << (parsed ? "" : to_text(parsed.error().front()));
  return parsed ? *parsed : Document();
}

TEST(Toml, values_know_their_line_and_column) {
  const Document d = toml("a = 1\n[s]\n  b = \"x\"\nc = [1, 2.5]\n");
  EXPECT_EQ(to_text(d.find("a")->where()), "t.toml:1:5");
  EXPECT_EQ(to_text(d.at_path("s.b")->where()), "t.toml:3:7");
  EXPECT_EQ(*d.at_path("s.c[1]")->real(), 2.5);
  EXPECT_EQ(to_text(d.at_path("s.c[1]")->where()), "t.toml:4:9");
}

TEST(Toml, a_syntax_error_has_a_location) {
  const Result<Document> parsed = parse_toml("a = 1\nb = = 2\n", "t.toml", "RY-TST-001");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error()[0].code, "RY-TST-001");
  EXPECT_EQ(parsed.error()[0].where.line, 2U);
}

TEST(Toml, absurdly_deep_keys_and_values_are_refused_and_do_no_harm) {
  std::string key = "a", array;
  for (int i = 0; i < 100'000; i++) key += ".a", array += "[";
  for (const std::string& text : {"\n" + key + " = 1\n", "\n[" + key + "]\n", "\nx = " + array + "\n"}) {
    const Result<Document> parsed = parse_toml(text, "t.toml", "RY-TST-001");
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error()[0].where.line, 2U);
  }
}

TEST(Toml, dates_stay_text) { EXPECT_EQ(*toml("d = 2024-08-01\n").find("d")->text(), "2024-08-01"); }

TEST(Document, paths_that_leave_the_tree_lead_nowhere) {
  const Document d = toml("a = [ {b = 1} ]\n");
  EXPECT_EQ(*d.at_path("a[0].b")->integer(), 1);
  for (const char* path : {"a[1]", "a[0].c", "x", "a.b", "a[", "a[x]", "a[0", "a[0].b.c"})
    EXPECT_EQ(d.at_path(path), nullptr) << path;
}

TEST(Document, an_overlay_merges_tables_and_replaces_the_rest) {
  const Document base = toml("[s]\na = 1\nb = [1, 2]\n");
  const Document over = toml("[s]\nb = [3]\nc = 4\n");
  const Document both = overlay(base, over);
  EXPECT_EQ(*both.at_path("s.a")->integer(), 1);
  EXPECT_EQ(both.at_path("s.b")->items()->size(), 1U);
  EXPECT_EQ(*both.at_path("s.c")->integer(), 4);
}

TEST(Json, values_know_their_lines) {
  const auto read = parse_json("{\n \"a\": 1\n,\n \"b\": {\n  \"c\": [2,\n \"x\"]}}", "f.json", "RY-T");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->find("a")->where().line, 2U);
  EXPECT_EQ(read->find("b")->where().line, 4U);
  EXPECT_EQ(read->at_path("b.c")->items()->at(1).where().line, 6U);
}

TEST(Json, writes_members_in_order_and_numbers_exactly) {
  Document d = Document::object();
  d.set("z", Document(std::int64_t{1}));
  d.set("a", Document(0.1));
  d.set("text", Document(std::string("µ\"\n")));
  d.set("list", Document::array()).push(Document(true));
  d.set("nothing", Document());
  EXPECT_EQ(write_json(d),
            "{\n  \"z\": 1,\n  \"a\": 0.1,\n  \"text\": \"µ\\\"\\n\",\n  \"list\": [true],\n  \"nothing\": null\n}\n");
}

}  // namespace
}  // namespace railyard
