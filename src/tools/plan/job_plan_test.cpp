#include "tools/plan/job_plan.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "base/temporary_folder.h"
#include "scenario/presets.h"
#include "sim/simulate.h"
#include "tools/plan/job_space.h"

namespace railyard {
namespace {

/// A small model on 32 GPUs over an oversubscribed leaf-spine: a grid that can be tried whole.
constexpr const char* kSmall = R"(
name = "a small job"
[model]
preset = "llama3-8b"
sequence = 4096
[training]
global_batch = 64
[parallel]
tensor = 4
pipeline = 2
[cluster]
gpu = "H100-SXM-80"
gpus = 32
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 8
oversubscription = 4
[transport]
kind = "roce"
[routing]
policy = "ecmp"
[engine]
fidelity = "flow"
)";

class JobPlanTest : public testing::Test {
 protected:
  Result<PlannedJob> plan(const PlanRequest& request, unsigned threads = 1, const std::vector<std::string>& overrides = {}) {
    const Result<Scenario> scenario = load_named_scenario(file, builtin_catalog(), overrides);
    if (!scenario) return scenario.error();
    Progress progress;
    return find_job_plan({file, overrides, request, threads}, *scenario, builtin_catalog(), progress);
  }
  std::string code(const PlanRequest& request, const std::vector<std::string>& overrides = {}) {
    const Result<PlannedJob> found = plan(request, 1, overrides);
    return found ? "" : found.error().front().code;
  }

  const TemporaryFolder folder;
  const std::string file = folder.write("small.toml", kSmall).string();
  const PlanRequest few{.vary = {"parallel.tensor=1,2,4,8", "parallel.pipeline=1,2,4", "parallel.virtual_pipeline=1,2",
                                 "parallel.zero=0..1", "training.recompute=none,selective,full"},
                        .only = true,
                        .keep = 3};
};

TEST_F(JobPlanTest, the_best_is_the_best_of_all_and_is_found_with_less_work) {
  PlanRequest all = few;
  all.exhaustive = true;
  const Result<PlannedJob> found = plan(few), proof = plan(all);
  ASSERT_TRUE(found && proof);
  for (std::size_t i = 0; i < 3; i++) {
    EXPECT_EQ(found->best[i].values, proof->best[i].values) << i;
    EXPECT_EQ(found->best[i].step_s, proof->best[i].step_s) << i;
  }
  const std::uint64_t proved = proof->search.levels.back().tried;
  EXPECT_GT(proved, 40U);
  EXPECT_LT(found->search.levels.back().tried, proved / 2);
  ASSERT_TRUE(found->today);
  EXPECT_GE(found->today->step_s, found->best.front().step_s);
}

TEST_F(JobPlanTest, more_ranks_than_gpus_are_no_plan) {
  const Result<PlannedJob> found = plan({.vary = {"parallel.tensor=4,8", "parallel.pipeline=2,8"}, .only = true, .keep = 3});
  ASSERT_TRUE(found) << found.error().front().message;
  EXPECT_EQ(found->best.size(), 3U);  // of four; eight by eight are 64 of 32 GPUs
}

TEST_F(JobPlanTest, every_plan_that_is_listed_runs_and_takes_what_the_table_says) {
  const Result<PlannedJob> found = plan({.keep = 5});
  ASSERT_TRUE(found);
  const Result<Scenario> today = load_named_scenario(file, builtin_catalog());
  const JobSpace space(*today, {}, false);
  ASSERT_TRUE(space.baseline());
  for (std::size_t i = 0; i < 5; i++) {
    const TriedPoint& tried = found->search.ranked[i];
    std::vector<std::string> set = space.overrides(tried.point);
    double sum = 0;
    for (const char* const seed : {"engine.seed=1", "engine.seed=2", "engine.seed=3"}) {
      std::vector<std::string> drawn = set;
      drawn.emplace_back(seed);
      const Result<Scenario> scenario = load_named_scenario(file, builtin_catalog(), drawn);
      ASSERT_TRUE(scenario);
      Progress progress;
      const Result<railyard::Run> run = simulate(*scenario, {.threads = 1}, progress);
      ASSERT_TRUE(run) << run.error().front().message;
      sum += seconds(run->training->time);
    }
    EXPECT_DOUBLE_EQ(sum / 3, found->best[i].step_s);
    EXPECT_LE(found->best[i].memory_share, 1);
  }
}

TEST_F(JobPlanTest, no_plan_is_faster_than_what_a_glance_promises) {
  const Result<Scenario> scenario =
      load_named_scenario(file, builtin_catalog(), std::vector<std::string>{"engine.fidelity=analytic"});
  const JobSpace space(*scenario, {}, false);
  const Result<PlannedJob> found = plan({.exhaustive = true}, 1, {"engine.fidelity=analytic"});
  ASSERT_TRUE(found);
  EXPECT_GT(found->search.ranked.size(), 100U);
  for (const TriedPoint& tried : found->search.ranked)
    EXPECT_LE(space.glance(tried.point).least, tried.by_level.back().values.front());
}

TEST_F(JobPlanTest, bounds_are_not_those_of_another_gpu) {
  const Result<Scenario> scenario = load_named_scenario(file, builtin_catalog());
  const Result<Axis> axis = read_axis("cluster.gpu=H100-SXM-80,B200");
  ASSERT_TRUE(axis);
  const JobSpace space(*scenario, {*axis}, true);
  for (PointId point = 0; point < 2; point++) EXPECT_EQ(space.glance(point).least, 0);
}

TEST_F(JobPlanTest, threads_and_a_journal_change_nothing) {
  PlanRequest kept = few;
  kept.journal = (folder.path() / "journal").string();
  const Result<PlannedJob> one = plan(few, 1), two = plan(kept, 2), again = plan(kept, 1);
  ASSERT_TRUE(one && two && again);
  const std::string text = write_json(job_plan_document(*one));
  EXPECT_EQ(write_json(job_plan_document(*two)), text);
  EXPECT_EQ(write_json(job_plan_document(*again)), text);
  PlanRequest other = kept;
  other.vary.pop_back();
  EXPECT_EQ(code(other), "RY-SEA-002");
}

TEST_F(JobPlanTest, memory_may_be_left_free) {
  const Result<PlannedJob> found = plan({.keep = 3, .memory = 0.5});
  ASSERT_TRUE(found);
  for (const PlanRow& row : found->best) EXPECT_LE(row.memory_share, 0.5);
}

TEST_F(JobPlanTest, what_cannot_be_planned_says_why) {
  EXPECT_EQ(code({}, {"model.preset=llama3-405b"}), "RY-PLN-003");
  EXPECT_EQ(code({.only = true}), "RY-PLN-004");
  EXPECT_EQ(code({.vary = {"a=1..1000", "b=1..1000", "c=1..1000"}, .only = true}), "RY-PLN-002");
  EXPECT_EQ(code({.vary = {"parallel.tensor"}}), "RY-SEA-001");
  EXPECT_EQ(code({.vary = {"parallel.tensor=0"}}), "RY-SCN-013") << "and no division by it";
  EXPECT_EQ(code({.vary = {"nosuch.key=1,2"}}), "RY-SCN-010");
  EXPECT_EQ(code({.vary = {"routing.policy=ecmp,bogus"}, .only = true}), "RY-SCN-014");
  EXPECT_EQ(code({.vary = {"parallel.tensor=2,4", "parallel.tensor=8"}, .only = true}), "RY-SEA-001");
  EXPECT_EQ(code({.vary = {"cluster.gpus=32,64"}, .only = true}), "RY-PLN-006");
  const Result<Scenario> collective = load_named_scenario("first", builtin_catalog());
  Progress progress;
  const Result<PlannedJob> none = find_job_plan({"first", {}, {}, 1}, *collective, builtin_catalog(), progress);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().front().code, "RY-PLN-001");
}

}  // namespace
}  // namespace railyard
