#include "workload/pass_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/serving_parts.h"
#include "scenario/testing.h"
#include "workload/cache.h"
#include "workload/testing.h"

namespace railyard {
namespace {

using testing::scenario_of;

const std::string kDense = R"(name = "dense"
[model]
preset = "llama3-70b"
[serving]
prefill_gpus = 8
prefill_tensor = 8
decode_gpus = 8
decode_tensor = 8
prompt = 2048
output = 256
batch = 4
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
)";

const std::string kExperts = R"(name = "experts"
[model]
preset = "deepseek-v3"
[serving]
prefill_gpus = 32
prefill_expert = 32
decode_gpus = 144
decode_expert = 144
redundant_experts = 32
prompt = 4096
output = 1024
batch = 128
precision = "fp8"
)";
const std::string kH800 = "[cluster]\ngpu = \"H800-SXM-80\"\ngpus_per_node = 8\n";

Step pass(const std::string& text, PassSide side, std::uint32_t requests) {
  const Scenario part = pass_of(scenario_of(text), side, requests);
  Result<Step> step = testing::build_step(part);
  if (!step) throw std::runtime_error(to_text(step.error().front()));
  return std::move(*step);
}

const Segment& segment(const Step& step, std::string_view name) {
  const std::vector<Segment>& all = step.works.front().forward;
  return *std::find_if(all.begin(), all.end(), [&](const Segment& one) { return one.name == name; });
}

const Op& op(const Segment& segment, std::string_view name) {
  return *std::find_if(segment.ops.begin(), segment.ops.end(), [&](const Op& one) { return one.name == name; });
}

TEST(Cache, keys_and_values_of_every_head_or_the_latent_of_all) {
  const ModelPlan llama = *scenario_of(kDense).workload.model, deepseek = *scenario_of(kExperts + kH800).workload.model;
  EXPECT_EQ(cache_per_token(llama, NumberFormat::bf16), 2.0 * 80 * 8 * 128 * 2);
  EXPECT_EQ(cache_per_token_of_rank(llama, NumberFormat::bf16, 8), 2.0 * 80 * 128 * 2);
  EXPECT_EQ(cache_per_token_of_rank(llama, NumberFormat::bf16, 16), 2.0 * 80 * 128 * 2);  // a head is not cut
  EXPECT_EQ(cache_per_token(deepseek, NumberFormat::bf16), 61 * (512 + 64) * 2.0);        // 70,272 bytes: ISCA'25, table 1
  EXPECT_EQ(cache_per_token_of_rank(deepseek, NumberFormat::fp8, 8), 61 * (512 + 64));
}

TEST(Cache, layers_with_a_window_read_no_further) {
  ModelPlan model;
  model.window = 1024, model.full_every = 4, model.sequence = 8192;
  EXPECT_DOUBLE_EQ(keys_read(model, 8192), 8192 * 0.25 + 1024 * 0.75);
  EXPECT_DOUBLE_EQ(keys_read(model, 512), 512);
}

TEST(Pass, is_forward_alone) {
  const Step step = pass(kDense, PassSide::decode, 32);
  ASSERT_EQ(step.pipeline.order.size(), 1U);
  EXPECT_EQ(step.pipeline.order.front().size(), 1U);
  EXPECT_TRUE(step.works.front().backward.empty());
  EXPECT_TRUE(step.stages.front().optimizer.empty());
  EXPECT_TRUE(step.stages.front().gradients.front().empty());
}

TEST(Pass, decode_of_a_dense_model_reads_weights_and_caches_once) {
  const Step step = pass(kDense, PassSide::decode, 32);
  // 70.55 billion parameters over eight GPUs in bf16, 32 requests of 2,176 + 1 tokens with one head each.
  const MemoryPlan& memory = step.stages.front().memory;
  EXPECT_NEAR(static_cast<double>(memory.weights.count()), 70.55e9 * 2 / 8, 0.02e9);
  EXPECT_EQ(memory.activations.count(), 32LL * (2176 + 1) * 80 * 2 * 128 * 2);
  const double rate = 3.35e12 * 0.82, gap = 2.5e-6;
  const Segment& block = segment(step, "dense block");
  EXPECT_NEAR(seconds(op(block, "attention").time), 32.0 * 2177 * 2 * 128 * 2 / rate + gap, 1e-8);
  EXPECT_NEAR(seconds(op(block, "up").time), 2.0 * (8192.0 * 2 * 28672 / 8) / rate + gap, 1e-6);
}

TEST(Pass, latents_are_read_as_they_are_kept) {
  const Step step = pass(kExperts + kH800, PassSide::decode, 128);
  const Op& attention = op(segment(step, "expert block"), "attention");
  const double keys = 4096 + 512 + 1;
  EXPECT_DOUBLE_EQ(attention.flops, 2.0 * 128 * keys * 128 * (2 * 512 + 64));
  EXPECT_GT(seconds(attention.time), attention.flops / 640e12);  // arithmetic is the limit, not 576 x 2 bytes a token
}

TEST(Pass, a_prompt_of_which_half_is_cached_computes_the_other_half_over_all_keys) {
  const Step all = pass(kExperts + kH800, PassSide::prefill, 1);
  const Step half = pass(kExperts + "prefix_cached = 0.5\n" + kH800, PassSide::prefill, 1);
  EXPECT_EQ(half.model.sequence, 2048U);
  const double whole = op(segment(all, "expert block"), "attention").flops;
  EXPECT_NEAR(op(segment(half, "expert block"), "attention").flops / whole, 0.75, 1e-9);  // 1 - (1/2)^2
}

TEST(Pass, decode_sends_a_copy_per_expert_and_prefill_one_per_node) {
  const Step decode = pass(kExperts + kH800, PassSide::decode, 128);
  const Op& sent = op(segment(decode, "expert block"), "dispatch");
  EXPECT_EQ(sent.size.count(), static_cast<std::int64_t>(128 * 8 * (1 - 1.0 / 144) * 7168 + 0.5));
  const Op& back = op(segment(decode, "expert block"), "combine");
  EXPECT_NEAR(static_cast<double>(back.size.count()) / static_cast<double>(sent.size.count()), 2, 1e-6);
  const Step prefill = pass(kExperts + kH800, PassSide::prefill, 1);
  const Op& first = op(segment(prefill, "expert block"), "dispatch");
  EXPECT_LT(static_cast<double>(first.remote.count()), 4096.0 * 7168 * 4);  // four nodes at most
}

TEST(Pass, halves_compute_what_the_whole_does_and_send_beside_it) {
  const Step whole = pass(kExperts + kH800, PassSide::decode, 128);
  const Step halves = pass(kExperts + "overlap = true\n" + kH800, PassSide::decode, 128);
  EXPECT_NEAR(halves.hardware_flops / whole.hardware_flops, 1, 0.01);
  const Segment& block = segment(halves, "expert block");
  EXPECT_EQ(op(block, "dispatch").beside, Beside::block);
  EXPECT_EQ(std::count_if(block.ops.begin(), block.ops.end(), [](const Op& one) { return one.name == "dispatch"; }), 2);
  EXPECT_NEAR(static_cast<double>(op(block, "dispatch").size.count()) * 2,
              static_cast<double>(op(segment(whole, "expert block"), "dispatch").size.count()), 2);
}

TEST(Pass, caches_that_do_not_fit_are_refused_with_a_batch_that_does) {
  const Scenario part = pass_of(scenario_of(kDense), PassSide::decode, 4096);
  const Result<Step> step = testing::build_step(part);
  ASSERT_FALSE(step);
  EXPECT_EQ(step.error().front().code, "RY-SRV-006");
  const std::string hint = step.error().front().hint;
  const auto most = static_cast<std::uint32_t>(std::stoul(hint.substr(hint.find("most ") + 5)));
  EXPECT_TRUE(testing::build_step(pass_of(scenario_of(kDense), PassSide::decode, most)));
  EXPECT_FALSE(testing::build_step(pass_of(scenario_of(kDense), PassSide::decode, most + 1)));
}

}  // namespace
}  // namespace railyard
