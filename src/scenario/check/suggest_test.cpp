#include "scenario/check/suggest.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "scenario/load.h"

namespace railyard {
namespace {

TEST(Suggest, numbers_on_both_sides_that_fit) {
  const auto even = [](std::uint32_t n) { return n % 2 == 0; };
  EXPECT_EQ(numbers_near(3, 8, even), "2 or 4");
  EXPECT_EQ(numbers_near(1, 8, even), "2");
  EXPECT_EQ(numbers_near(9, 8, even), "8");
  EXPECT_EQ(numbers_near(100, 8, even), "8");
  EXPECT_EQ(numbers_near(3, 8, [](std::uint32_t) { return false; }), "");
  EXPECT_EQ(divisors_near(12, 5), "4 or 6");
  EXPECT_EQ(gpus_from(64, 8, 3), 72U);
  EXPECT_EQ(gpus_from(72, 8, 3), 72U);
}

constexpr const char* kSuggestedPlan = R"(
name = "step"
[model]
preset = "llama3-8b"
[training]
global_batch = 768
[parallel]
tensor = 2
pipeline = 2
[cluster]
gpu = "H100-SXM-80"
gpus = 64
gpus_per_node = 8
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 8
)";

/// What to do about the first mistake; empty if there is none.
std::string remedy(const std::vector<std::string>& overrides) {
  const auto read = [&](const std::filesystem::path&) -> Result<std::string> { return std::string(kSuggestedPlan); };
  const Result<Scenario> scenario = load_scenario("test.toml", builtin_catalog(), overrides, read);
  return scenario ? std::string() : scenario.error().front().hint;
}

TEST(Suggest, remedies_of_a_plan_do_not_break_something_else) {
  EXPECT_EQ(remedy({"parallel.pipeline=3", "parallel.tensor=1"}), "change a degree, or use 72 GPUs");  // not 66
  EXPECT_EQ(remedy({"parallel.pipeline=3", "parallel.tensor=1", "cluster.gpus=72"}), "");
  EXPECT_EQ(remedy({"cluster.gpus=100", "parallel.pipeline=8"}), "use 96 or 112");
  EXPECT_EQ(remedy({"cluster.gpus=112", "parallel.pipeline=8", "training.global_batch=7"}), "");
  EXPECT_EQ(remedy({"model.heads=12", "model.kv_heads=4", "model.hidden=3072", "parallel.tensor=5"}), "use 4");  // 6 is no
  EXPECT_EQ(remedy({"training.global_batch=9", "parallel.virtual_pipeline=2"}), "use a multiple of 32, for instance 32");
  EXPECT_EQ(remedy({"training.global_batch=32", "parallel.virtual_pipeline=2"}), "");
  EXPECT_EQ(remedy({"parallel.context=3"}), "use 2 or 4");
  EXPECT_EQ(remedy({"parallel.context=3", "parallel.pipeline=16"}), "use 2");  // 4 × 2 × 16 are more than 64
  EXPECT_EQ(remedy({"fabric.oversubscription=[1, 2]"}), "give one number, or use topology = \"clos3\"");
  EXPECT_EQ(remedy({"fabric.oversubscription=[1, 2]", "fabric.topology=clos3"}), "");
}

TEST(Suggest, other_names_and_places_are_found) {
  EXPECT_EQ(remedy({"fabric.switch=SN5600"}), "did you mean \"Spectrum-4\"?");
  EXPECT_EQ(remedy({"fabric.switch=7060X6"}), "did you mean \"Tomahawk-5\"?");
  EXPECT_EQ(remedy({"training.seq_len=4096"}), "did you mean 'model.sequence' or 'parallel.sequence'?");
  EXPECT_EQ(remedy({"cluster.gpu=h200"}), "did you mean \"H200-SXM-141\"?");
}

TEST(Suggest, nothing_is_said_of_what_follows_from_a_refused_key) {
  const auto read = [&](const std::filesystem::path&) -> Result<std::string> { return std::string(kSuggestedPlan); };
  const std::vector<std::string> overrides{"fabric.topology=leaf_spine", "fabric.oversubscription=2"};
  const Result<Scenario> scenario = load_scenario("test.toml", builtin_catalog(), overrides, read);
  ASSERT_FALSE(scenario);
  ASSERT_EQ(scenario.error().size(), 1U);  // and not that a star has no oversubscription
  EXPECT_EQ(scenario.error().front().code, "RY-SCN-014");
}

}  // namespace
}  // namespace railyard
