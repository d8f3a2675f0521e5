#include "scenario/presets.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scenario/jobs.h"

namespace railyard {
namespace {

TEST(Presets, are_the_files_of_scenarios) {
  const std::vector<std::string> names = preset_names();
  for (const char* name : {"gpt4", "llama3", "deepseek-v2", "grok4", "mi300x-llama3", "packets/incast"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

TEST(Presets, load_by_name_from_anywhere) {
  const Result<Scenario> scenario = load_named_scenario("llama3", builtin_catalog());
  ASSERT_TRUE(scenario);
  EXPECT_EQ(scenario->name, "Llama 3 405B on 16,384 H100 over RoCE, 8K tokens");
}

TEST(Presets, bring_the_files_they_refer_to) {
  for (const std::string& name : preset_names()) {
    if (name == "llama3-job") continue;  // half a scenario, to be extended
    if (name.starts_with("jobs/")) {
      const Result<Loaded> jobs = load_scenario_or_jobs(name, builtin_catalog());
      EXPECT_TRUE(jobs && jobs->jobs) << name << ": " << (jobs ? "" : to_text(jobs.error().front()));
      continue;
    }
    const Result<Scenario> scenario = load_named_scenario(name, builtin_catalog(), {}, {.workload = false});
    EXPECT_TRUE(scenario) << name << ": " << (scenario ? "" : to_text(scenario.error().front()));
  }
}

TEST(Presets, take_overrides) {
  const std::vector<std::string> overrides{"cluster.gpus=8192"};
  const Result<Scenario> scenario = load_named_scenario("llama3", builtin_catalog(), overrides);
  ASSERT_TRUE(scenario);
  EXPECT_EQ(scenario->workload.gpus, 8192U);
}

TEST(Presets, a_wrong_name_gets_the_nearest) {
  const Result<Scenario> scenario = load_named_scenario("lama3", builtin_catalog());
  ASSERT_FALSE(scenario);
  EXPECT_EQ(scenario.error().front().code, "RY-SCN-001");
  EXPECT_NE(scenario.error().front().hint.find("'llama3'"), std::string::npos);
}

TEST(Presets, their_text_holds_what_they_extend) {
  const ScenarioText text;
  ASSERT_TRUE(load_named_scenario("llama3", builtin_catalog(), {}, {}, &text));
  EXPECT_LT(text.text().find("extends = \"llama3-job.toml\""), text.text().find("# scenarios/llama3-job.toml\n"));
}

}  // namespace
}  // namespace railyard
