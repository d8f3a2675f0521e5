#include "report/differences.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/json.h"
#include "report/command_text.h"

namespace railyard {
namespace {

Document json(const char* text) {
  const Result<Document> parsed = parse_json(text, "test.json", "RY-DIF-001");
  EXPECT_TRUE(parsed);
  return *parsed;
}

TEST(Differences, equal_results_have_none_whatever_their_wall_time) {
  const Document a = json(R"({"wall_s": 1, "step_time_s": 2, "x": [1, 2]})"),
                 b = json(R"({"wall_s": 3, "step_time_s": 2, "x": [1, 2]})");
  EXPECT_TRUE(differences(a, b).empty());
}

TEST(Differences, key_figures_come_by_name_and_the_rest_by_path) {
  const Differences found = differences(json(R"({"step_time_s": 2, "network": {"flows": 3}, "tiers": [{"n": 1}]})"),
                                        json(R"({"step_time_s": 3, "network": {"flows": 4}, "tiers": [{"n": 5}]})"));
  ASSERT_EQ(found.figures.size(), 1U);
  EXPECT_EQ(found.figures[0].name, "step time, s");
  EXPECT_EQ(found.figures[0].b, 3);
  ASSERT_EQ(found.numbers.size(), 2U);
  EXPECT_EQ(found.numbers[0].path, "network.flows");
  EXPECT_EQ(found.numbers[1].path, "tiers[0].n");
}

TEST(Differences, inputs_are_matched_by_key_and_missing_members_are_named) {
  const Differences found = differences(
      json(R"({"inputs": [{"key": "mtu", "value": "4 kB"}, {"key": "rate", "value": "1"}], "only": 1})"),
      json(R"({"inputs": [{"key": "rate", "value": "1"}, {"key": "mtu", "value": "1 kB"}, {"key": "new", "value": "x"}]})"));
  ASSERT_EQ(found.texts.size(), 2U);
  EXPECT_EQ(found.texts[0].path, "mtu");
  EXPECT_EQ(found.texts[0].b, "1 kB");
  EXPECT_EQ(found.texts[1].a, "–");
  EXPECT_EQ(found.only_a, std::vector<std::string>{"only"});
}

TEST(Differences, an_input_given_twice_counts_as_its_first) {
  const Document twice = json(R"({"inputs": [{"key": "mtu", "value": "4 kB"}, {"key": "mtu", "value": "1 kB"}]})"),
                 none = json(R"({"inputs": []})");
  EXPECT_TRUE(differences(twice, twice).empty());
  ASSERT_EQ(differences(none, twice).texts.size(), 1U);
  EXPECT_EQ(differences(none, twice).texts[0].b, "4 kB");
}

TEST(Differences, long_arrays_of_numbers_differ_as_a_whole) {
  const Differences found = differences(json(R"({"s": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]})"),
                                        json(R"({"s": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,18]})"));
  EXPECT_TRUE(found.numbers.empty());
  EXPECT_EQ(found.series, std::vector<std::string>{"s"});
}

TEST(Differences, whatever_differs_is_told) {
  const auto told = [](const char* a, const char* b) {
    Report report{"", differences_sections(differences(json(a), json(b)), "a", "b", true)};
    std::ostringstream out;
    write_terminal(report, 100, out);
    return out.str();
  };
  EXPECT_NE(told(R"({"x": 1})", R"({"x": 1, "y": 2})").find("Only in b: y."), std::string::npos);
  EXPECT_NE(
      told(R"({"s": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]})", R"({"s": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,18]})")
          .find("numbers that differ: s."),
      std::string::npos);
}

std::string sentence(const char* a, const char* b) { return differences_sentence(differences(json(a), json(b))); }

TEST(Differences, a_sentence_says_what_was_changed_and_by_how_much) {
  EXPECT_EQ(sentence(R"({"step_time_s": 16.86, "inputs": [{"key": "routing.policy", "value": "ecmp"}]})",
                     R"({"step_time_s": 11.84, "inputs": [{"key": "routing.policy", "value": "adaptive"}]})"),
            "With routing.policy adaptive instead of ecmp, the step time falls by 29.8 %, from 16.86 s to 11.84 s.");
  EXPECT_EQ(sentence(R"({"points": [{"time_us": 1}, {"time_us": 5}]})", R"({"points": [{"time_us": 1}, {"time_us": 7}]})"),
            "The time of the largest size rises by 40 %, from 5 µs to 7 µs.");
  EXPECT_EQ(sentence(R"({"step_time_s": 1, "x": 2})", R"({"step_time_s": 1, "x": 3})"), "The step time stays 1 s.");
  EXPECT_EQ(sentence(R"({"step_time_s": 19.17})", R"({"step_time_s": 19.1703})"),
            "The step time stays 19.17 s, to within 0.002 %.");
  EXPECT_EQ(sentence(R"({"step_time_s": 0.1})", R"({"step_time_s": 10})"), "The step time rises, from 100 ms to 10 s.");
  EXPECT_EQ(sentence(R"({"x": 2})", R"({"x": 3})"), "No key figure is in both.");
  EXPECT_EQ(sentence(R"({"x": 2})", R"({"x": 2})"), "Nothing differs but how long the runs took.");
  EXPECT_EQ(sentence(R"({"step_time_s": 1, "inputs": [{"key": "a", "value": "1"}, {"key": "b", "value": "1"},
                        {"key": "c", "value": "1"}]})",
                     R"({"step_time_s": 2, "inputs": []})"),
            "With 3 inputs that differ, the step time rises by 100 %, from 1 s to 2 s.");
}

TEST(Differences, details_are_counted_and_shown_where_all_are_asked_for) {
  const Differences found = differences(json(R"({"step_time_s": 2, "n": {"x": 1, "y": 1}, "only": 1})"),
                                        json(R"({"step_time_s": 3, "n": {"x": 2, "y": 4}})"));
  const std::vector<Report::Section> brief = differences_sections(found, "a", "b", false);
  ASSERT_EQ(brief.size(), 1U);
  ASSERT_EQ(brief[0].blocks.size(), 3U);  // sentence, key figures, what else there is
  EXPECT_EQ(std::get<std::string>(brief[0].blocks[0]), "The step time rises by 50 %, from 2 s to 3 s.");
  EXPECT_EQ(std::get<std::string>(brief[0].blocks[2]),
            "2 other numbers and 1 value that only one has differ, too; --all shows them.");
  const std::vector<Report::Section> all = differences_sections(found, "a", "b", true);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(std::get<TextTable>(all[1].blocks[0]).rows.size(), 2U);
}

TEST(Differences, the_largest_size_is_the_last_point) {
  const Differences found = differences(json(R"({"points": [{"time_us": 1}, {"time_us": 5}]})"),
                                        json(R"({"points": [{"time_us": 1}, {"time_us": 7}]})"));
  ASSERT_EQ(found.figures.size(), 1U);
  EXPECT_EQ(found.figures[0].b, 7);
}

TEST(Differences, large_whole_numbers_and_long_texts_are_compared_to_the_end) {
  EXPECT_FALSE(differences(json(R"({"x": 9007199254740993})"), json(R"({"x": 9007199254740992})")).empty());
  const std::string text(300, 'x');
  EXPECT_FALSE(differences(json(("{\"t\": \"" + text + "a\"}").c_str()), json(("{\"t\": \"" + text + "b\"}").c_str())).empty());
}

TEST(Json, of_several_members_of_one_name_the_last_stays) {
  EXPECT_EQ(write_compact_json(json(R"({"a": 1, "b": 2, "a": 3})")), R"({"b":2,"a":3})");
}

TEST(CommandText, quotes_what_a_shell_would_split) {
  EXPECT_EQ(run_command_text("llama3", {"a.b=1", "c=2 MB", "d=[0]", "e=it's"}),
            "railyard run llama3 --set a.b=1 --set 'c=2 MB' --set 'd=[0]' --set 'e=it'\\''s'");
}

TEST(Json, what_is_written_reads_back_the_same) {
  const Document a = json(R"({"a": [1, 2.5, -3, true, null, "x\n\"ü"], "b": {"c": []}, "big": 18446744073709551615})");
  EXPECT_EQ(write_compact_json(json(write_json(a).c_str())), write_compact_json(a));
}

TEST(Json, control_characters_are_written_in_letters) {
  const std::string text = write_compact_json(Document(std::string("a\x1b\x7f\xC2\x9B\xC2\xB5\xC3\x9B\xE2\x80\xAE")));
  EXPECT_EQ(text, "\"a\\u001b\\u007f\\u009b\xC2\xB5\xC3\x9B\\u202e\"");
  EXPECT_EQ(*json(text.c_str()).text(), "a\x1b\x7f\xC2\x9B\xC2\xB5\xC3\x9B\xE2\x80\xAE");
}

TEST(Json, what_is_no_json_says_where) {
  const Result<Document> broken = parse_json("{\n\"a\": 1,\n}", "x.json", "RY-DIF-001");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error()[0].code, "RY-DIF-001");
  EXPECT_EQ(broken.error()[0].where.line, 3U);
  EXPECT_FALSE(parse_json(std::string(1000, '['), "x.json", "RY-DIF-001"));
}

}  // namespace
}  // namespace railyard
