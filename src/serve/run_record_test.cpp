#include "serve/run_record.h"

#include <gtest/gtest.h>

#include <set>

#include "base/json.h"

namespace railyard {
namespace {

TEST(RunRecord, ids_are_of_one_form_and_never_the_same) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; i++) {
    const std::string id = new_run_id();
    EXPECT_TRUE(is_run_id(id));
    EXPECT_TRUE(seen.insert(id).second);
  }
  for (const char* text : {"", "..", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdeg",
                           "0123456789ABCDEF0123456789ABCDEF", "../../../../../../etc/passwd/././"})
    EXPECT_FALSE(is_run_id(text)) << text;
}

TEST(RunRecord, comes_back_from_json) {
  RunRecord run{
      .id = new_run_id(), .name = "a \"name\"", .state = ServedState::failed, .created_ms = 1, .started_ms = 2, .ended_ms = 3};
  run.problems = {{Severity::warning, "RY-WEB-020", "message", "hint", {"scenario.toml", 4, 5}}};
  const Result<Document> document = parse_json(write_json(run_document(run)), "state.json", "RY-WEB-030");
  ASSERT_TRUE(document);
  const std::optional<RunRecord> again = read_run(*document);
  ASSERT_TRUE(again);
  EXPECT_EQ(write_json(run_document(*again)), write_json(run_document(run)));
}

TEST(RunRecord, is_not_made_of_something_else) {
  for (const char* text : {"{}", "[]", "{\"id\": \"..\", \"state\": \"queued\"}",
                           "{\"id\": \"0123456789abcdef0123456789abcdef\", \"state\": \"x\"}"})
    EXPECT_FALSE(read_run(*parse_json(text, "state.json", "RY-WEB-030"))) << text;
}

TEST(RunRecord, is_called_what_the_scenario_is) {
  EXPECT_EQ(title_of_scenario("# a comment\nname = \"Two racks\"\n[cluster]\n"), "Two racks");
  EXPECT_EQ(title_of_scenario("  name='x'"), "x");
  EXPECT_EQ(title_of_scenario("[model]\nname = \"no\"\n"), "scenario");
  EXPECT_EQ(title_of_scenario("name = \"\"\n"), "scenario");
  EXPECT_EQ(title_of_scenario("name\n\"\n"), "scenario");
  EXPECT_EQ(title_of_scenario(""), "scenario");
}

}  // namespace
}  // namespace railyard
