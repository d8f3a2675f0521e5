#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"
#include "tools/validate/judge.h"
#include "tools/validate/plan.h"

namespace railyard {
namespace {

/// A scenario on disk: 16 servers of eight H100 under two leaves.
class ValidateTest : public ::testing::Test {
 protected:
  ValidateTest() { write("name = \"sixteen\"\n[cluster]\ngpu = \"H100-SXM-80\"\ngpus = 128\ngpus_per_node = 8\n"); }

  void write(const std::string& cluster) {
    std::ofstream(folder_.path() / "cluster.toml")
        << cluster
        << "nic = \"ConnectX-7\"\n[fabric]\ntopology = \"leaf-spine\"\n"
           "switch = \"Tomahawk-5\"\nhosts_per_leaf = 64\nspines = 2\noversubscription = 2\n";
  }
  [[nodiscard]] ExpectationRequest request() const { return {(folder_.path() / "cluster.toml").string(), {}, 1}; }

  Result<ValidationJudgement> judged(const Measurements& measured, std::vector<std::string> phases = {}) {
    Progress progress;
    return judge_validation({request(), std::move(phases)}, measured, builtin_catalog(), progress);
  }

  static const JudgedPhase& phase(const ValidationJudgement& judgement, ValidationPhase wanted) {
    for (const JudgedPhase& one : judgement.phases)
      if (one.phase == wanted) return one;
    throw std::runtime_error("no such phase");
  }

  TemporaryFolder folder_;
};

PerftestRun write_bw(const std::string& file, const std::string& host, double gbits) {
  PerftestRun run;
  run.tool = "ib_write_bw";
  run.device = "mlx5_0";
  run.host = host;
  run.link = "Ethernet";
  run.mtu = 4096_B;
  run.where = {file, 1, 1};
  PerftestRow row;
  row.size = 8_MiB;
  row.average = gbits * 1e9 / 8;
  row.where = run.where;
  run.rows.push_back(row);
  return run;
}

CollectiveTest all_reduce(const std::string& file, double gbs) {
  CollectiveTest test;
  test.collective = "all_reduce";
  test.ranks = 128;
  test.nodes = 16;
  test.where = {file, 1, 1};
  CollectiveRow row;
  row.size = 8_GiB;
  row.bus_bandwidth = gbs * 1e9;
  row.where = test.where;
  test.rows.push_back(row);
  return test;
}

CounterSample counter(const std::string& file, CounterKind kind, double value, double time) {
  CounterSample sample;
  sample.device = "leaf0";
  sample.port = "Ethernet4";
  sample.name = std::string(name_of(kind));
  sample.kind = kind;
  sample.value = value;
  sample.time_s = time;
  sample.where = {file, 1, 1};
  return sample;
}

TEST_F(ValidateTest, a_plan_has_a_threshold_for_every_scope_and_pair) {
  Progress progress;
  const Result<ValidationPlan> plan = validation_plan(request(), builtin_catalog(), progress);
  ASSERT_TRUE(plan);
  std::vector<std::string> scopes;
  for (const TestScope& scope : plan->cluster.scopes) scopes.push_back(scope.name);
  EXPECT_EQ(scopes, (std::vector<std::string>{"server", "pair", "leaf", "pod"})) << "one pod is all there is";
  for (const ExpectedValue& one : plan->values) {
    EXPECT_GT(one.expected, 0) << one.id;
    EXPECT_EQ(one.threshold > one.expected, one.is_most) << one.id;
    EXPECT_FALSE(one.basis.empty());
  }
  const auto has = [&](std::string_view id) {
    return std::any_of(plan->values.begin(), plan->values.end(), [&](const ExpectedValue& v) { return v.id == id; });
  };
  for (const char* id :
       {"ib_write_bw/same-leaf", "ib_write_lat/across-leaves", "ib_write_bw/incast", "all_reduce/server/8589934592",
        "alltoall/leaf/1073741824", "sendrecv/pair/1048576", "all_reduce/across-leaves/spine-0-down/8589934592"})
    EXPECT_TRUE(has(id)) << id;
}

TEST_F(ValidateTest, losing_a_spine_costs_an_exchange_what_uplinks_are_short_of) {
  Progress progress;
  const Result<ValidationPlan> plan = validation_plan(request(), builtin_catalog(), progress);
  double whole = 0, without_spine = 0;
  for (const ExpectedCollective& one : plan->cluster.collectives) {
    if (one.phase != ValidationPhase::failures || one.times.empty() || one.curve.kind != CollectiveKind::all_to_all) continue;
    if (one.failure.empty()) whole = one.times.back();
    if (one.failure == "spine-0-down") without_spine = one.times.back();
  }
  EXPECT_GT(whole, 0);
  EXPECT_GT(without_spine, whole);
}

TEST_F(ValidateTest, a_healthy_cluster_passes_what_was_measured) {
  Measurements measured;
  measured.perftests = {write_bw("logs/x.txt", "a", 391), write_bw("logs/y.txt", "b", 390)};
  const Result<ValidationJudgement> judgement = judged(measured);
  ASSERT_TRUE(judgement);
  EXPECT_EQ(phase(*judgement, ValidationPhase::baseline).outcome, Acceptance::pass);
  EXPECT_EQ(phase(*judgement, ValidationPhase::laboratory).outcome, Acceptance::pass);
  EXPECT_EQ(phase(*judgement, ValidationPhase::failures).outcome, Acceptance::not_measured);
  EXPECT_EQ(judgement->outcome, Acceptance::not_measured) << "accepted is what passes all phases";
}

TEST_F(ValidateTest, a_slow_nic_fails_its_phase_and_stands_out) {
  Measurements measured;
  for (const char* host : {"a", "b", "c"}) measured.perftests.push_back(write_bw("logs/x.txt", host, 391));
  measured.perftests.push_back(write_bw("logs/x.txt", "d", 196));
  const Result<ValidationJudgement> judgement = judged(measured);
  ASSERT_TRUE(judgement);
  const JudgedPhase& baseline = phase(*judgement, ValidationPhase::baseline);
  EXPECT_EQ(baseline.outcome, Acceptance::fail);
  ASSERT_EQ(baseline.outliers.size(), 1U);
  EXPECT_EQ(baseline.outliers[0].name, "d mlx5_0");
  EXPECT_EQ(judgement->outcome, Acceptance::fail);
  EXPECT_NE(judgement->answer.front().find("Not accepted: 1 of 6 phases fail (Baseline)"), std::string::npos);
}

TEST_F(ValidateTest, a_small_mtu_fails_the_laboratory) {
  Measurements measured;
  measured.perftests = {write_bw("x.txt", "a", 391)};
  measured.perftests[0].mtu = 1024_B;
  const Result<ValidationJudgement> judgement = judged(measured);
  ASSERT_TRUE(judgement);
  EXPECT_EQ(phase(*judgement, ValidationPhase::laboratory).outcome, Acceptance::fail);
}

TEST_F(ValidateTest, a_collective_is_judged_by_its_scale_and_a_failure_by_its_folder) {
  Measurements measured;
  measured.tests = {all_reduce("logs/run.txt", 150)};
  Result<ValidationJudgement> judgement = judged(measured);
  ASSERT_TRUE(judgement);
  EXPECT_EQ(phase(*judgement, ValidationPhase::ai_workload).outcome, Acceptance::fail);
  measured.tests = {all_reduce("logs/failures/spine-0-down/run.txt", 420)};
  judgement = judged(measured);
  ASSERT_TRUE(judgement);
  const JudgedPhase& failures = phase(*judgement, ValidationPhase::failures);
  ASSERT_EQ(failures.checks.size(), 1U);
  EXPECT_EQ(failures.outcome, Acceptance::pass);
  EXPECT_NE(failures.checks[0].what.find("spine-0-down"), std::string::npos);
}

TEST_F(ValidateTest, tests_of_the_plan_that_no_file_has_are_listed) {
  Measurements measured;
  measured.tests = {all_reduce("logs/run.txt", 420)};
  const Result<ValidationJudgement> judgement = judged(measured);
  ASSERT_TRUE(judgement);
  const auto lists = [&](ValidationPhase of, const std::string& what) {
    const std::vector<std::string>& missing = phase(*judgement, of).missing;
    return std::count(missing.begin(), missing.end(), what);
  };
  EXPECT_EQ(lists(ValidationPhase::ai_workload, "all_reduce over 128 ranks in 16 nodes"), 0);
  EXPECT_EQ(lists(ValidationPhase::ai_workload, "all_gather over 128 ranks in 16 nodes"), 1);
  EXPECT_EQ(lists(ValidationPhase::synthetic, "alltoall over 128 ranks in 16 nodes"), 1);
  EXPECT_EQ(lists(ValidationPhase::baseline, "ib_write_bw between NICs"), 1);
  EXPECT_EQ(lists(ValidationPhase::failures, "all_reduce over 128 ranks in 16 nodes with spine-0-down"), 1);
}

/// Steps as long as the simulated one pass, and steps twice as long do not.
TEST_F(ValidateTest, training_steps_are_judged_by_the_simulated_one) {
  std::ofstream(folder_.path() / "cluster.toml", std::ios::app)
      << "[model]\npreset = \"llama3-8b\"\n[parallel]\ntensor = 8\n[training]\nglobal_batch = 128\n";
  Progress progress;
  const Result<ValidationCluster> cluster = expected_cluster(request(), builtin_catalog(), progress);
  ASSERT_TRUE(cluster) << cluster.error().front().message;
  ASSERT_TRUE(cluster->step_s.has_value());
  const auto outcome = [&](double share) {
    Measurements measured;
    TrainingLog log;
    log.framework = "Megatron-LM", log.where = {"train.log", 1, 0};
    for (std::uint64_t step = 1; step <= 5; step++) {
      LoggedStep one;
      one.number = step, one.seconds = share * *cluster->step_s;
      log.steps.push_back(one);
    }
    measured.trainings.push_back(log);
    return phase(*judged(measured), ValidationPhase::ai_workload).outcome;
  };
  EXPECT_EQ(outcome(1.0), Acceptance::pass);
  EXPECT_EQ(outcome(2.0), Acceptance::fail);
}

TEST_F(ValidateTest, counters_belong_to_the_phase_of_their_folder) {
  Measurements measured;
  for (const double time : {0.0, 1.0}) {
    measured.counters.push_back(counter("logs/baseline/leaf0.txt", CounterKind::rx_pause, 7 * time, time));
    measured.counters.push_back(counter("logs/leaf0.txt", CounterKind::corrupted, 5, time));
    measured.counters.push_back(counter("logs/synthetic/leaf0.txt", CounterKind::ecn_marked, 0, time));
  }
  const Result<ValidationJudgement> judgement = judged(measured);
  ASSERT_TRUE(judgement);
  EXPECT_EQ(phase(*judgement, ValidationPhase::baseline).outcome, Acceptance::fail) << "pauses without load";
  EXPECT_EQ(phase(*judgement, ValidationPhase::operational).outcome, Acceptance::pass) << "what does not grow is old";
  EXPECT_EQ(phase(*judgement, ValidationPhase::synthetic).outcome, Acceptance::fail) << "no marks: ECN is off";
}

TEST_F(ValidateTest, retransmissions_pass_as_a_small_share_of_packets_alone) {
  Measurements measured;
  measured.counters = {counter("x.txt", CounterKind::out_of_sequence, 5, 0), counter("x.txt", CounterKind::tx_packets, 1e6, 0)};
  EXPECT_EQ(phase(*judged(measured), ValidationPhase::operational).outcome, Acceptance::pass);
  measured.counters[0].value = 50;
  EXPECT_EQ(phase(*judged(measured), ValidationPhase::operational).outcome, Acceptance::fail);
}

TEST_F(ValidateTest, only_the_phases_asked_for_are_judged) {
  Measurements measured;
  measured.perftests = {write_bw("x.txt", "a", 391)};
  const Result<ValidationJudgement> judgement = judged(measured, {"baseline"});
  ASSERT_TRUE(judgement);
  EXPECT_EQ(judgement->phases.size(), 1U);
  EXPECT_EQ(judgement->outcome, Acceptance::pass);
}

TEST_F(ValidateTest, mistakes_have_codes) {
  Measurements measured;
  EXPECT_EQ(judged(measured).error().front().code, "RY-VAL-003");
  measured.perftests = {write_bw("x.txt", "a", 391)};
  EXPECT_EQ(judged(measured, {"operational"}).error().front().code, "RY-VAL-003");
  const Result<ValidationJudgement> wrong = judged(measured, {"basline"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().front().code, "RY-VAL-001");
  EXPECT_EQ(wrong.error().front().hint, "did you mean 'baseline'?");
  write("name = \"hosts\"\n[cluster]\ngpus = 64\n");
  EXPECT_EQ(judged(measured).error().front().code, "RY-VAL-002");
}

TEST_F(ValidateTest, a_folder_with_other_things_is_left_alone) {
  const std::vector<PlanFile> files = {{"plan.md", ""}, {"sbatch/pair.sbatch", ""}};
  EXPECT_FALSE(strange_folder(folder_.path() / "new", files));
  const std::optional<Diagnostic> strange = strange_folder(folder_.path(), files);  // cluster.toml is there
  ASSERT_TRUE(strange);
  EXPECT_EQ(strange->code, "RY-VAL-004");
  std::filesystem::remove(folder_.path() / "cluster.toml");
  for (const char* known : {"plan.md", "hosts.txt"}) std::ofstream(folder_.path() / known) << "x";
  std::filesystem::create_directory(folder_.path() / "logs");
  EXPECT_FALSE(strange_folder(folder_.path(), files)) << "a plan may be written anew";
}

}  // namespace
}  // namespace railyard
