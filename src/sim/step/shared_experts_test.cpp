// Dispatch and combine beside shared experts: no layer gains more than the shorter of the two takes.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenario/testing.h"
#include "sim/simulate.h"
#include "sim/step/step_run.h"
#include "workload/testing.h"

namespace railyard {
namespace {

constexpr const char* kSharedModel = R"(name = "shared"
[model]
preset = "mixtral-8x7b"
layers = 4
experts = 16
shared_experts = 2
expert_ffn = 4096
sequence = 4096
[training]
global_batch = 32
gpu_spread = 0
)";
constexpr const char* kSharedCluster = R"([cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 16
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 16
spines = 4
[routing]
policy = "adaptive"
)";
constexpr const char* kSharedOverlap = "shared_expert_overlap = true\n";

Scenario shared_scenario(const std::string& training, const std::string& parallel, const std::string& engine) {
  return testing::scenario_of(kSharedModel + training + "[parallel]\ndata_overlap = false\n" + parallel + kSharedCluster +
                              "[engine]\n" + engine);
}

StepRun shared_step(const std::string& training, const std::string& parallel, const std::string& engine = "") {
  Progress progress;
  Result<Run> run = simulate(shared_scenario(training, parallel, engine), {.threads = 1}, progress);
  if (!run) throw std::runtime_error(to_text(run.error().front()));
  return std::move(*run->training);
}

/// Times in which an exchange and the shared experts beside it both run, over the ops of a pass; and of those, what compute
/// loses.
struct Together {
  Picoseconds both, lost;
};
Together together(const std::vector<Segment>& segments, const ClusterLinks& links) {
  Together sum;
  for (const Segment& segment : segments) {
    Picoseconds exchange, shared;
    const auto count = [&] {
      const Picoseconds both = std::min(exchange, shared);
      sum.both += both * segment.repeats;
      sum.lost += slowed_by(both, links.contention) * segment.repeats;
      exchange = shared = {};
    };
    for (const Op& op : segment.ops) {
      if (op.beside == Beside::shared) count(), exchange = collective_time(op, links);
      if (op.shared) shared += op.time;
    }
    count();
  }
  return sum;
}

TEST(SharedExperts, what_is_hidden_is_the_shorter_of_exchange_and_shared_experts) {
  // Inside a server exchanges are shorter than the shared experts, between servers longer.
  for (const char* expert : {"expert = 8\n", "expert = 16\n"}) {
    const StepRun alone = shared_step("", expert), beside = shared_step("", expert + std::string(kSharedOverlap));
    const Together forward = together(beside.step.works[0].forward, beside.links),
                   backward = together(beside.step.works[0].backward, beside.links);
    const std::int64_t micro_batches = 2;
    const Picoseconds both = (forward.both + backward.both) * micro_batches;
    EXPECT_GT(both, Picoseconds::zero());
    EXPECT_LE(alone.time - beside.time, both);
    EXPECT_EQ(alone.time - beside.time, both - (forward.lost + backward.lost) * micro_batches) << expert;
    EXPECT_EQ(beside.stages[0].hidden[index(GroupKind::expert)], both) << expert;
    EXPECT_EQ(beside.stages[0].compute, alone.stages[0].compute) << expert;
  }
}

TEST(SharedExperts, nothing_is_lost_or_done_twice) {
  for (const char* tensor :
       {"expert = 8\n", "tensor = 2\nexpert = 8\n", "tensor = 2\nexpert = 8\nsequence = false\n",
        "tensor = 2\nexpert = 8\ntensor_overlap = \"none\"\n", "tensor = 2\nexpert = 8\ntensor_overlap = \"full\"\n"})
    for (const char* recompute : {"none", "selective", "full"}) {
      const std::string training = std::string("recompute = \"") + recompute + "\"\n";
      const StepRun alone = shared_step(training, tensor), beside = shared_step(training, tensor + std::string(kSharedOverlap));
      EXPECT_EQ(beside.stages[0].compute, alone.stages[0].compute) << tensor << recompute;
      EXPECT_EQ(beside.step.hardware_flops, alone.step.hardware_flops) << tensor << recompute;
      const auto sent = [](const StepRun& run, GroupKind kind) {
        return run.stages[0].exposed[index(kind)] + run.stages[0].hidden[index(kind)];
      };
      for (const GroupKind kind : {GroupKind::expert, GroupKind::tensor})
        EXPECT_EQ(sent(beside, kind), sent(alone, kind)) << tensor << recompute;
      EXPECT_LT(beside.time, alone.time) << tensor << recompute;
    }
}

TEST(SharedExperts, flows_hide_as_much_as_closed_forms) {
  for (const char* parallel : {"expert = 16\n", "expert = 8\npipeline = 2\nschedule = \"zero-bubble\"\n"}) {
    const auto time = [&](const char* overlap, const char* engine) {
      return seconds(shared_step("", parallel + std::string(overlap), engine).time);
    };
    const double closed = time("", "") - time(kSharedOverlap, "");
    EXPECT_GT(closed, 0) << parallel;
    EXPECT_NEAR((time("", "fidelity = \"flow\"\n") - time(kSharedOverlap, "fidelity = \"flow\"\n")) / closed, 1, 0.1)
        << parallel;
  }
}

TEST(SharedExperts, without_them_there_is_nothing_to_hide_behind) {
  const std::string none = "expert = 8\n";
  Scenario scenario = shared_scenario("", none, "");
  scenario.workload.model->shared_experts = 0;
  Scenario beside = scenario;
  beside.workload.parallel.shared_expert_overlap = true;
  const auto time = [](const Scenario& s) { return run_step(s, *testing::build_step(s)).time; };
  EXPECT_EQ(time(beside), time(scenario));
  EXPECT_EQ(shared_step("", "zero = 1\n").time, shared_step("", std::string("zero = 1\n") + kSharedOverlap).time);
}

}  // namespace
}  // namespace railyard
