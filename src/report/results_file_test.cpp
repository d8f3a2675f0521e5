#include "report/results_file.h"

#include <gtest/gtest.h>

#include "report/differences.h"

namespace railyard {
namespace {

std::string code_of(const std::string& text) {
  const Result<Document> read = parse_results(text, "r.json");
  return read ? "" : read.error().front().code;
}

TEST(ResultsFile, what_is_no_results_is_refused) {
  for (const char* text : {"", "{", "[1,", "\x01", "{\"a\":1}x"}) EXPECT_EQ(code_of(text), "RY-DIF-001") << text;
  for (const char* text : {"3", "null", "[]", "{}", R"({"schema":3})", R"({"schema":"railyard-findings/1"})",
                           R"({"schema":["railyard-results/1"]})", R"({"schema":"railyard-comparison/1"})",
                           R"({"schema":"railyard-comparison/1","runs":3})", R"({"schema":"railyard-comparison/1","runs":[3]})",
                           R"({"schema":"railyard-comparison/1","runs":[{"id":"a"}]})",
                           R"({"schema":"railyard-comparison/1","runs":[{"id":1,"results":{}}]})",
                           R"({"schema":"railyard-comparison/1","runs":[{"id":"a","results":[]}]})"})
    EXPECT_EQ(code_of(text), "RY-DIF-002") << text;
}

TEST(ResultsFile, a_run_is_a_run_whatever_its_members_are_called) {
  const char* const texts[] = {
      R"({"schema":"railyard-results/1","runs":3})", R"({"schema":"railyard-results/1","runs":[1]})",
      R"({"schema":"railyard-results/1","runs":[{"id":"a"}],"inputs":7,"points":{}})",
      R"({"schema":"railyard-results/1","inputs":[1,{"key":2},{"key":"a","value":[]}],"points":[[],{"time_us":{}}]})"};
  for (const char* one : texts)
    for (const char* other : texts) {
      const Result<Document> a = parse_results(one, "a"), b = parse_results(other, "b");
      ASSERT_TRUE(a && b);
      const auto pairs = pair_results(*a, *b, "b");
      ASSERT_TRUE(pairs);
      ASSERT_EQ(pairs->size(), 1U);
      EXPECT_EQ(differences(*(*pairs)[0].a, *(*pairs)[0].b).empty(), one == other);
    }
}

TEST(ResultsFile, comparisons_are_paired_by_name) {
  const auto comparison = [](const std::string& runs) {
    return *parse_results(R"({"schema":"railyard-comparison/1","runs":[)" + runs + "]}", "c.json");
  };
  const Document a = comparison(R"({"id":"x","results":{"n":1}},{"id":"y","results":{"n":2}})"),
                 b = comparison(R"({"id":"z","results":{}},{"id":"y","results":{"n":3}},{"id":"y","results":{"n":4}})");
  const auto pairs = pair_results(a, b, "b.json");
  ASSERT_TRUE(pairs);
  ASSERT_EQ(pairs->size(), 1U);
  EXPECT_EQ((*pairs)[0].title, "y");
  EXPECT_EQ(*(*pairs)[0].b->find("n")->integer(), 3);
  EXPECT_EQ(pair_results(a, comparison(""), "b.json").error().front().code, "RY-DIF-003");
  EXPECT_EQ(pair_results(a, *parse_results(R"({"schema":"railyard-results/1"})", "r"), "r").error().front().code, "RY-DIF-003");
}

TEST(ResultsFile, many_inputs_are_compared_in_no_time) {
  std::string text = R"({"schema":"railyard-results/1","inputs":[)";
  for (int i = 0; i < 100'000; i++) text += "{\"key\":\"" + std::to_string(i) + "\",\"value\":\"x\"},";
  const Result<Document> many = parse_results(text + "{}]}", "r.json");
  ASSERT_TRUE(many);
  EXPECT_TRUE(differences(*many, *many).empty());
}

}  // namespace
}  // namespace railyard
