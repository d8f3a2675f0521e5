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

constexpr const char* kHead = R"("name":"a","engine":"flow","fingerprint":"0","diagnostics":[])";

std::string run_with(const std::string& more) { return std::string(R"({"schema":"railyard-results/1",)") + kHead + more + "}"; }
/// As a comparison holds it.
std::string results_with(const std::string& more) { return std::string("{") + kHead + R"(,"inputs":[])" + more + "}"; }

TEST(ResultsFile, what_a_run_does_not_write_is_refused_with_its_place) {
  const auto message = [](const std::string& text) {
    const Result<Document> read = parse_results(text, "r.json");
    return read ? "" : read.error().front().message;
  };
  const std::string why = "this file holds no Railyard results: ";
  EXPECT_EQ(message(R"({"schema":"railyard-results/1","runs":3})"),
            why + R"(the file has no "name", which results of a run have)");
  EXPECT_EQ(message(run_with(R"(,"inputs":[],"runs":3)")), why + R"(the file has "runs", which only a comparison has)");
  EXPECT_EQ(message(run_with(R"(,"inputs":7)")), why + R"(the file: "inputs" is an integer, not an array)");
  EXPECT_EQ(message(R"({"schema":"railyard-comparison/1","runs":[{"id":"a","results":{}}]})"),
            why + R"(runs[0].results has no "name", which results of a run have)");
}

TEST(ResultsFile, a_run_is_a_run_whatever_else_it_holds) {
  const std::string texts[] = {run_with(R"(,"inputs":[])"), run_with(R"(,"inputs":[1],"points":{})"),
                               run_with(R"(,"inputs":[1,{"key":2},{"key":"a","value":[]}],"points":[[],{"time_us":{}}])")};
  for (const std::string& one : texts)
    for (const std::string& other : texts) {
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
  const auto run = [](const std::string& id, int n) {
    return R"({"id":")" + id + R"(","results":)" + results_with(R"(,"n":)" + std::to_string(n)) + "}";
  };
  const Document a = comparison(run("x", 1) + "," + run("y", 2)),
                 b = comparison(run("z", 0) + "," + run("y", 3) + "," + run("y", 4));
  const auto pairs = pair_results(a, b, "b.json");
  ASSERT_TRUE(pairs);
  ASSERT_EQ(pairs->size(), 1U);
  EXPECT_EQ((*pairs)[0].title, "y");
  EXPECT_EQ(*(*pairs)[0].b->find("n")->integer(), 3);
  EXPECT_EQ(pair_results(a, comparison(""), "b.json").error().front().code, "RY-DIF-003");
  EXPECT_EQ(pair_results(a, *parse_results(run_with(R"(,"inputs":[])"), "r"), "r").error().front().code, "RY-DIF-003");
}

TEST(ResultsFile, many_inputs_are_compared_in_no_time) {
  std::string inputs = R"(,"inputs":[)";
  for (int i = 0; i < 100'000; i++) inputs += "{\"key\":\"" + std::to_string(i) + "\",\"value\":\"x\"},";
  const Result<Document> many = parse_results(run_with(inputs + "{}]"), "r.json");
  ASSERT_TRUE(many);
  EXPECT_TRUE(differences(*many, *many).empty());
}

}  // namespace
}  // namespace railyard
