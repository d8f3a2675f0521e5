#include "tools/claims/test_claims.h"

#include <gtest/gtest.h>

#include <atomic>

#include "catalog/catalog.h"
#include "scenario/load.h"

namespace railyard {
namespace {

constexpr std::string_view kScenario = R"(
name = "Small"
[collective]
kind = "all_reduce"
algorithm = "ring"
library = "none"
sizes = ["1 MiB"]
[cluster]
gpus = 8
[fabric]
topology = "star"
link_rate = "400 Gb/s"
switch_latency = "500 ns"
host_latency = "700 ns"
cable = "5 m"
[engine]
fidelity = "analytic"
)";

/// Loads the scenario above whatever it is called, and counts how often.
struct Loader {
  std::atomic<int> loads{0};

  LoadClaimed function() {
    return [this](const std::string& name, std::span<const std::string> set) {
      loads++;
      return load_scenario(name + ".toml", builtin_catalog(), set,
                           [](const std::filesystem::path&) -> Result<std::string> { return std::string(kScenario); });
    };
  }
};

ClaimValue from_run(std::string name, std::vector<std::string> set, std::string path) {
  ClaimValue value;
  value.name = std::move(name);
  value.scenario = "small";
  value.set = std::move(set);
  value.path = std::move(path);
  return value;
}

Claim claim(std::string id, std::vector<ClaimValue> values, std::string expression, double claimed) {
  Claim made;
  made.id = std::move(id);
  made.values = std::move(values);
  made.expression = std::move(expression);
  made.low = made.high = claimed;
  made.test = ClaimTest::run;
  return made;
}

Result<std::vector<Finding>> tested(const std::vector<Claim>& claims, Loader& loader, unsigned threads = 2) {
  std::vector<const Claim*> pointers;
  for (const Claim& one : claims) pointers.push_back(&one);
  Progress progress;
  const AskClaimed ask = [](ClaimCommand command, const std::string&, const std::vector<std::string>& set, Progress&) {
    Document answer = Document::object();
    answer.set("command", Document(static_cast<std::int64_t>(command)));
    answer.set("overrides", Document(static_cast<std::int64_t>(set.size())));
    return Result<Document>(std::move(answer));
  };
  return test_claims(pointers, loader.function(), ask, threads, progress);
}

TEST(TestClaims, a_value_may_come_from_another_command_than_run) {
  Loader loader;
  ClaimValue faults = from_run("faults", {"a=1"}, "command"), goodput = from_run("goodput", {"a=1", "b=2"}, "overrides");
  faults.command = ClaimCommand::faults;
  goodput.command = ClaimCommand::goodput;
  const auto found = tested({claim("asked", {faults, goodput}, "faults * 10 + goodput", 12)}, loader);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(*(*found)[0].found, 12);
  EXPECT_EQ(loader.loads, 0) << "whoever answers loads the scenario";
}

TEST(TestClaims, a_ring_over_eight_sends_its_buffer_14_8_times_and_equal_runs_are_run_once) {
  Loader loader;
  const std::vector<Claim> claims = {
      claim("sent", {from_run("sent", {}, "points[0].sent_over_size")}, "", 1.75),
      claim(
          "ratio",
          {from_run("eight", {}, "points[0].sent_over_size"), from_run("four", {"cluster.gpus=4"}, "points[0].sent_over_size")},
          "eight / four", 1.75 / 1.5),
      claim("wrong", {from_run("sent", {}, "points[0].sent_over_size")}, "sent * 100", 5),
  };
  const auto found = tested(claims, loader);
  ASSERT_TRUE(found.has_value());
  EXPECT_DOUBLE_EQ(*(*found)[0].found, 1.75);
  EXPECT_NEAR(*(*found)[1].found, 1.75 / 1.5, 1e-12);
  EXPECT_EQ((*found)[0].verdict, Verdict::reproduced);
  EXPECT_EQ((*found)[1].verdict, Verdict::reproduced);
  EXPECT_EQ((*found)[2].verdict, Verdict::contradicted);
  EXPECT_EQ((*found)[1].values.size(), 2U);
  EXPECT_EQ(loader.loads, 2);
}

TEST(TestClaims, a_condition_is_tested_with_and_without) {
  Loader loader;
  Claim more = claim(
      "more",
      {from_run("eight", {}, "points[0].sent_over_size"), from_run("two", {"cluster.gpus=2"}, "points[0].sent_over_size")},
      "eight", 1.75);
  more.only_when = "with many GPUs";
  more.otherwise = "two";
  const auto found = tested({more}, loader);
  ASSERT_TRUE(found.has_value());
  EXPECT_DOUBLE_EQ(*(*found)[0].found, 1.75);
  EXPECT_DOUBLE_EQ(*(*found)[0].otherwise, 1);
  EXPECT_EQ((*found)[0].verdict, Verdict::conditional);
}

TEST(TestClaims, threads_change_nothing) {
  Loader loader;
  std::vector<Claim> claims;
  for (const int gpus : {2, 3, 4, 5, 6, 7})
    claims.push_back(claim("n" + std::to_string(gpus),
                           {from_run("time", {"cluster.gpus=" + std::to_string(gpus)}, "points[0].time_us")}, "", 1));
  const auto one = tested(claims, loader, 1), four = tested(claims, loader, 4);
  ASSERT_TRUE(one && four);
  for (std::size_t i = 0; i < claims.size(); i++) EXPECT_EQ(*(*one)[i].found, *(*four)[i].found);
}

TEST(TestClaims, stated_values_need_no_run) {
  Loader loader;
  Claim stated = claim("nics", {}, "nics * rate", 3.6);
  stated.test = ClaimTest::formula;
  stated.values = {{.name = "nics", .scenario = {}, .set = {}, .path = {}, .value = 9, .source = {}},
                   {.name = "rate", .scenario = {}, .set = {}, .path = {}, .value = 0.4, .source = {}}};
  const auto found = tested({stated}, loader);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(*(*found)[0].found, 3.6, 1e-12);
  EXPECT_EQ(loader.loads, 0);
}

TEST(TestClaims, what_cannot_be_tested_names_the_claim) {
  Loader loader;
  auto found = tested({claim("nowhere", {from_run("a", {}, "points[0].tme_us")}, "", 1)}, loader);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error()[0].code, "RY-CLM-008");
  EXPECT_EQ(found.error()[0].message, "nowhere: the results have no points[0].tme_us");
  found = tested({claim("refused", {from_run("a", {"transport.mtu=1000"}, "points[0].time_us")}, "", 1)}, loader);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error()[0].code, "RY-SCN-043");
  EXPECT_EQ(found.error()[0].message.substr(0, 9), "refused: ");
  found = tested({claim("infinite", {from_run("a", {}, "points[0].time_us")}, "a / 0", 1)}, loader);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error()[0].code, "RY-CLM-007");
}

TEST(Changes, another_verdict_and_a_value_that_moved_are_noticed) {
  Claim one = claim("one", {}, "", 40);
  one.unit = "%";
  const Finding recorded{.found = 41.4, .values = {}, .verdict = Verdict::reproduced};
  EXPECT_TRUE(changes(one, recorded, recorded).empty());
  EXPECT_EQ(changes(one, recorded, {.found = 41.4001, .values = {}, .verdict = Verdict::reproduced}),
            std::vector<std::string>{"one: 41.4 was recorded, 41.4001 is found (+0.00024 %)"});
  const Finding with_values{.found = 41.4, .values = {{"full", 172506}}, .verdict = Verdict::reproduced};
  EXPECT_TRUE(changes(one, with_values, with_values).empty());
  EXPECT_EQ(changes(one, with_values, {.found = 41.4, .values = {{"full", 172509}}, .verdict = Verdict::reproduced}),
            std::vector<std::string>{"one, full: 172,506 was recorded, 172,509 is found (+0.0017 %)"});
  EXPECT_EQ(changes(one, recorded, with_values), std::vector<std::string>{"one, full: nothing is recorded of it"});
  EXPECT_EQ(changes(one, recorded, {.found = 41.4, .values = {}, .verdict = Verdict::plausible}),
            std::vector<std::string>{"one: was reproduced, is plausible"});
  EXPECT_EQ(changes(one, recorded, {.found = 40.4, .values = {}, .verdict = Verdict::reproduced}),
            std::vector<std::string>{"one: 41.4 % was recorded, 40.4 % is found (-2.42 %)"});
  EXPECT_EQ(changes(one, recorded, {.found = {}, .values = {}, .verdict = Verdict::reproduced}),
            std::vector<std::string>{"one: lacks a value now"});
  const Finding both{.found = 41.4, .otherwise = 10, .values = {}, .verdict = Verdict::reproduced};
  EXPECT_EQ(changes(one, both, {.found = 41.4, .otherwise = 11, .values = {}, .verdict = Verdict::reproduced}),
            std::vector<std::string>{"one, otherwise: 10 % was recorded, 11 % is found (+10.00 %)"});
  EXPECT_EQ(changes(one, both, recorded), std::vector<std::string>{"one, otherwise: lacks a value now"});
  EXPECT_EQ(changes(one, {}, recorded), std::vector<std::string>{"one: is new; nothing is recorded of it"});
}

}  // namespace
}  // namespace railyard
