#include "sim/step/step_run.h"

#include <gtest/gtest.h>

#include "scenario/testing.h"
#include "workload/testing.h"

namespace railyard {
namespace {

using testing::gpt;

StepRun run_of(const Scenario& scenario) {
  Result<Step> step = testing::build_step(scenario);
  if (!step) throw std::runtime_error(to_text(step.error().front()));
  return run_step(scenario, std::move(*step));
}

Picoseconds busy(const StageTime& time) {
  Picoseconds sum = time.compute + time.contention + time.optimizer + time.host + time.bubble;
  for (const Picoseconds exposed : time.exposed) sum += exposed;
  return sum;
}

TEST(StepRun, the_time_of_every_stage_adds_up_to_the_step) {
  for (const char* parallel : {"tensor = 8", "tensor = 2\npipeline = 4", "pipeline = 4\nvirtual_pipeline = 2\nzero = 1",
                               "pipeline = 4\nschedule = \"zero-bubble\"", "pipeline = 4\nschedule = \"dualpipe\"",
                               "pipeline = 8\nschedule = \"gpipe\"\npipeline_overlap = false", "context = 8", "zero = 3",
                               "tensor = 4\nsequence = false\ntensor_overlap = \"full\"\ndata_overlap = false"}) {
    const StepRun run = run_of(gpt(8, 16, "global_batch = 64\nrecompute = \"full\"", parallel));
    for (const StageTime& stage : run.stages) EXPECT_EQ(busy(stage), run.time) << parallel;
  }
}

TEST(StepRun, no_step_beats_the_arithmetic_of_the_model) {
  for (const char* parallel : {"tensor = 8", "pipeline = 4", "zero = 3"}) {
    const StepRun run = run_of(gpt(8, 8, "global_batch = 32", parallel));
    const double flops = static_cast<double>(run.step.tokens) * (run.step.flops.products + run.step.flops.attention_causal);
    EXPECT_GT(seconds(run.time), flops / 8 / 312e12) << parallel;
    EXPECT_GE(run.step.hardware_flops, flops) << parallel;
  }
}

TEST(StepRun, more_of_what_helps_never_hurts) {
  const auto time = [](const char* training, const char* parallel) {
    return run_of(gpt(8, 16, std::string("global_batch = 64\n") + training, parallel)).time;
  };
  EXPECT_LE(time("", "tensor = 4\ntensor_overlap = \"full\""), time("", "tensor = 4\ntensor_overlap = \"backward\""));
  EXPECT_LE(time("", "tensor = 4\ntensor_overlap = \"backward\""), time("", "tensor = 4\ntensor_overlap = \"none\""));
  EXPECT_LE(time("", "pipeline = 4"), time("", "pipeline = 4\npipeline_overlap = false"));
  EXPECT_LE(time("", "zero = 1"), time("", "zero = 1\ndata_overlap = false"));
  EXPECT_LT(time("", "pipeline = 4"), time("recompute = \"full\"", "pipeline = 4"));
  EXPECT_LT(time("", "pipeline = 4"), time("straggler = 0.05", "pipeline = 4"));
  EXPECT_LT(time("", "pipeline = 4\nvirtual_pipeline = 2"), time("", "pipeline = 4"));
  EXPECT_LT(time("", "pipeline = 4"), time("attention = \"unfused\"", "pipeline = 4"));
}

TEST(StepRun, scale_up_links_run_at_the_rate_that_is_given) {
  const Picoseconds own = run_of(gpt(8, 8, "global_batch = 8", "tensor = 8")).time;
  const std::string slow =
      "name = \"gpt\"\n[model]\nlayers = 8\nhidden = 4096\nheads = 32\nffn = 16384\ngated = false\n"
      "vocabulary = 51200\nsequence = 2048\n[cluster]\ngpu = \"A100-SXM-80\"\ngpus_per_node = 8\n"
      "gpus = 8\nscale_up_rate = \"600 Gb/s\"\n[training]\nglobal_batch = 8\n[parallel]\ntensor = 8\n";
  EXPECT_GT(run_of(testing::scenario_of(slow)).time, own);
}

TEST(StepRun, host_time_is_added_once) {
  const StepRun without = run_of(gpt(8, 8, "global_batch = 8", "")),
                with = run_of(gpt(8, 8, "global_batch = 8\nhost_overhead = \"3 ms\"", ""));
  EXPECT_EQ(with.time, without.time + 3000_us);
}

TEST(StepRun, skewed_routing_is_paid_by_the_busiest_rank) {
  const std::string moe = R"(name = "moe"
[model]
preset = "mixtral-8x7b"
layers = 4
sequence = 4096
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 16
[parallel]
expert = 8
zero = 1
[training]
global_batch = 16
)";
  const StepRun even = run_of(testing::scenario_of(moe)), skewed = run_of(testing::scenario_of(moe + "routing_skew = 1.0\n"));
  EXPECT_GT(skewed.step.routing.imbalance, 1.5);
  EXPECT_GT(skewed.time, even.time);
  const StepRun capped = run_of(testing::scenario_of(moe + "routing_skew = 1.0\ncapacity_factor = 1.0\n"));
  EXPECT_LT(capped.time, skewed.time);
}

const std::string kManyExperts = R"(name = "moe"
[model]
preset = "qwen3-30b-a3b"
layers = 4
[cluster]
gpu = "GB200"
gpus_per_node = 4
scale_up_domain = 8
gpus = 8
[parallel]
expert = 8
zero = 1
)";

/// A model with experts; `parallel` continues that section, `training` follows.
StepRun experts(const std::string& parallel, const std::string& training, const std::string& micro_batch = "4") {
  return run_of(testing::scenario_of(kManyExperts + parallel +
                                     "\n[training]\nglobal_batch = 128\nprecision = \"fp8\"\nmicro_batch = " + micro_batch +
                                     "\n" + training));
}

TEST(StepRun, exchanges_beside_another_micro_batch_cost_less_than_alone_and_more_than_nothing) {
  const StepRun alone = experts("", ""), beside = experts("expert_overlap = true", "");
  const Picoseconds exchanged = alone.stages[0].exposed[index(GroupKind::expert)];
  EXPECT_LT(beside.time, alone.time);
  EXPECT_GT(beside.time, alone.time - exchanged);
  EXPECT_GT(beside.stages[0].hidden[index(GroupKind::expert)], exchanged * 7 / 10);
  EXPECT_EQ(busy(beside.stages[0]), beside.time);
  EXPECT_EQ(beside.stages[0].compute, alone.stages[0].compute);
}

TEST(StepRun, of_two_passes_that_run_together_one_takes_the_memory_that_the_other_lets_go) {
  EXPECT_EQ(experts("", "").step.stages[0].memory.in_flight, 1U);
  EXPECT_EQ(experts("expert_overlap = true", "").step.stages[0].memory.in_flight, 1U);
}

TEST(StepRun, exchanges_run_beside_compute_in_interleaved_pipelines_too) {
  const std::string stages = "pipeline = 2\nvirtual_pipeline = 2\n";
  const auto four = [](std::string text) { return text.replace(text.find("expert = 8"), 10, "expert = 4"); };
  const auto time = [&](const std::string& overlap) {
    const StepRun run =
        run_of(testing::scenario_of(four(kManyExperts) + stages + overlap + "\n[training]\nglobal_batch = 256\n"));
    for (const StageTime& stage : run.stages) EXPECT_EQ(busy(stage), run.time);
    return run.time;
  };
  EXPECT_LT(time("expert_overlap = true"), time(""));
}

TEST(StepRun, a_host_that_launches_slowly_sets_the_pace_of_small_micro_batches) {
  const StepRun full = experts("", "", "1"), none = experts("", "cuda_graphs = \"none\"", "1"),
                partial = experts("", "cuda_graphs = \"partial\"", "1");
  // 16 micro-batches through 4 layers, forward and back, at 4.5 ms each, and what has no experts.
  EXPECT_GT(none.time, 4500_us * (16 * 4 * 2));
  EXPECT_LT(none.time, 4500_us * (16 * 4 * 2) + full.time);
  EXPECT_LT(full.time, partial.time);
  EXPECT_LT(partial.time, none.time);
  EXPECT_EQ(full.stages[0].host, Picoseconds::zero());
  for (const StepRun* run : {&full, &partial, &none}) EXPECT_EQ(busy(run->stages[0]), run->time);
  const Picoseconds waited = none.stages[0].host;
  EXPECT_EQ(none.time - full.time, waited);
  EXPECT_EQ(experts("", "cuda_graphs = \"none\"", "16").stages[0].host, Picoseconds::zero());  // large ones never wait
}

TEST(StepRun, a_host_launches_passes_that_run_together_more_slowly_than_apart) {
  const StepRun apart = experts("", "cuda_graphs = \"none\"", "1"),
                together = experts("expert_overlap = true", "cuda_graphs = \"none\"", "1");
  const StepFact step = testing::scenario_of(kManyExperts + "[training]\nglobal_batch = 8\n").workload.gpu->step;
  // 15 pairs of passes of 16 micro-batches; the first and the last pass run alone.
  const Picoseconds pairs = step.layer_launch * (15 * 4 * 2);
  EXPECT_GT(together.time, apart.time);
  EXPECT_GT(seconds(together.time), step.overlap_launch * seconds(pairs));
  EXPECT_EQ(busy(together.stages[0]), together.time);
}

TEST(StepRun, kernels_of_single_experts_are_paid_once_per_product) {
  const StepRun grouped = experts("", "gpu_spread = 0", "8"),
                separate = experts("", "gpu_spread = 0\nexpert_products = \"separate\"", "8");
  const StepFact step = testing::scenario_of(kManyExperts + "[training]\nglobal_batch = 8\n").workload.gpu->step;
  // 262,144 copies of tokens, six products a layer, four layers, two micro-batches; passes so long hide the host.
  const Picoseconds each = step.expert_row * 262'144;
  EXPECT_EQ(separate.stages[0].compute - grouped.stages[0].compute, each * (6 * 4 * 2));
}

TEST(StepRun, a_host_that_launches_kernels_of_single_experts_sets_the_pace_of_few_rows) {
  const auto compute = [](const std::string& training) {
    return experts("", "gpu_spread = 0\n" + training, "1").stages[0].compute;  // 2,048 rows an expert
  };
  const StepFact step = testing::scenario_of(kManyExperts + "[training]\nglobal_batch = 8\n").workload.gpu->step;
  const Picoseconds separate = compute("expert_products = \"separate\"");
  constexpr std::int64_t kProducts = 6 * 4 * 16;                            // of four layers and sixteen micro-batches
  EXPECT_GT(separate - compute(""), step.expert_row * 32'768 * kProducts);  // more than passes over the rows
  EXPECT_GT(separate, step.expert_launch * 4 * 16 * kProducts);             // four kernels for each of 16 experts
}

TEST(StepRun, the_step_of_two_hundred_thousand_gpus_has_as_many_ops_as_that_of_one_replica) {
  const auto passes = [](std::uint32_t gpus, std::uint32_t batch) {
    const StepRun run = run_of(gpt(32, gpus, "global_batch = " + std::to_string(batch), "tensor = 8\npipeline = 8\nzero = 1"));
    std::size_t sum = 0;
    for (const auto& stage : run.passes) sum += stage.size();
    return sum;
  };
  EXPECT_EQ(passes(64, 32), passes(64 * 3125, 32 * 3125));
}

}  // namespace
}  // namespace railyard
