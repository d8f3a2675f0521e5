// Training steps over circuits that follow what they send: never worse off than physics, the same as fixed ones where nothing
// changes, and the same again every time.
#include <gtest/gtest.h>

#include <string>

#include "scenario/testing.h"
#include "sim/simulate.h"

namespace railyard {
namespace {

/// Four pods of four servers of four GPUs. With two stages, passes send from pod 0 to 2 and from 1 to 3, and gradients go round
/// pods 0 and 1, and 2 and 3.
Result<Run> run_of_pods(const std::string& circuits, const std::string& parallel, const std::string& more = "") {
  Progress progress;
  return simulate(testing::scenario_of(R"(name = "pods"
[model]
layers = 8
hidden = 4096
heads = 32
ffn = 16384
vocabulary = 32000
sequence = 4096
[training]
global_batch = 128
[parallel]
data_overlap = false
)" + parallel + R"(
[cluster]
gpu = "H100-SXM-80"
gpus = 64
gpus_per_node = 4
nic = "ConnectX-7"
[fabric]
topology = "optical"
hosts_per_leaf = 4
hosts_per_pod = 16
spines = 2
oversubscription = [1, 2]
link_rate = "400 Gb/s"
link_delay = "500 ns"
switch_latency = "300 ns"
)" + circuits + R"(
[routing]
policy = "adaptive"
[engine]
fidelity = "flow"
)" + more),
                  {}, progress);
}

StepRun step_of_pods(const std::string& circuits, const std::string& parallel, const std::string& more = "") {
  Result<Run> run = run_of_pods(circuits, parallel, more);
  if (!run) throw std::runtime_error(to_text(run.error().front()));
  return std::move(*run->training);
}

constexpr const char* kTwoStages = "tensor = 4\npipeline = 2";
constexpr const char* kDemand = "circuits = \"demand\"";
std::string phases(const char* reconfiguration) {
  return std::string("circuits = \"phases\"\nreconfiguration = \"") + reconfiguration + "\"";
}

TEST(PhaseCircuits, change_twice_where_phases_want_others) {
  const StepRun step = step_of_pods(phases("1 ms"), kTwoStages);
  ASSERT_TRUE(step.circuits);
  EXPECT_EQ(step.circuits->changes, 2U);
  EXPECT_GT(step.circuits->moved, 0U);
  EXPECT_LT(step.circuits->moved, step.circuits->all);
  EXPECT_EQ(step.circuits->phases[0].crossed, 1);
  EXPECT_GT(step.circuits->phases[0].sent, 0);
  EXPECT_GT(step.circuits->phases[1].sent, 0);
  EXPECT_EQ(step.circuits->fixed, step_of_pods(kDemand, kTwoStages).time);
  EXPECT_EQ(step.circuits->instant, step_of_pods(phases("0 s"), kTwoStages).time);
  EXPECT_LT(step.circuits->instant, step.time);
  EXPECT_LE(step.time, step.circuits->instant + 2'000_us);
  EXPECT_LT(step.circuits->instant, step.circuits->fixed);
}

/// Pods that reduce gradients and send nothing else between them; pods that send nothing else but activations.
TEST(PhaseCircuits, one_phase_is_what_demand_is) {
  for (const char* parallel : {"tensor = 4\npipeline = 1", "tensor = 4\npipeline = 4"}) {
    const StepRun fixed = step_of_pods(kDemand, parallel);
    for (const char* reconfiguration : {"0 s", "10 ms"}) {
      const StepRun step = step_of_pods(phases(reconfiguration), parallel);
      EXPECT_EQ(step.circuits->changes, 0U);
      EXPECT_EQ(step.time, fixed.time);
      EXPECT_EQ(step.fingerprint, fixed.fingerprint);
      EXPECT_EQ(step.circuits->fixed, fixed.time);
      EXPECT_EQ(step.circuits->instant, fixed.time);
    }
  }
}

TEST(PhaseCircuits, are_the_same_every_time) {
  const StepRun first = step_of_pods(phases("1 ms"), kTwoStages), again = step_of_pods(phases("1 ms"), kTwoStages);
  EXPECT_EQ(first.fingerprint, again.fingerprint);
  EXPECT_EQ(first.alone, again.alone);
}

TEST(PhaseCircuits, go_with_delays_and_hashes) {
  const std::string jitter = "[jitter]\ncollective = \"gradients\"\nwhich = \"last\"\ndelay = \"200 us\"\n";
  const StepRun step = step_of_pods(phases("1 ms"), kTwoStages, jitter);
  ASSERT_TRUE(step.jitter);
  EXPECT_EQ(step.jitter->without, step_of_pods(phases("1 ms"), kTwoStages).time);
}

TEST(PhaseCircuits, that_take_longer_than_the_step_are_refused) {
  const auto run = run_of_pods(phases("100 s"), kTwoStages);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().front().code, "RY-RUN-088");
}

}  // namespace
}  // namespace railyard
