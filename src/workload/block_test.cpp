#include "workload/block.h"

#include <gtest/gtest.h>

#include "scenario/testing.h"
#include "workload/step.h"
#include "workload/testing.h"

namespace railyard {
namespace {

using testing::gpt;

/// Activations of one block that `scenario` keeps per micro-batch.
double kept_per_block(const Scenario& scenario) {
  const Result<Step> step = testing::build_step(scenario);
  EXPECT_TRUE(step.has_value());
  const double with = static_cast<double>(step->works.front().kept.count());
  Scenario fewer = scenario;
  fewer.workload.model->layers = scenario.workload.model->layers - 1;
  return with - static_cast<double>(testing::build_step(fewer)->works.front().kept.count());
}

TEST(Block, kept_activations_are_the_closed_form_with_sequence_parallelism) {
  // s b h / t (34 + 5 a s / h), Korthikanti et al., equation 4.
  const double s = 2048, b = 2, h = 4096, a = 32, t = 4;
  const Scenario scenario =
      gpt(2, 4, "global_batch = 2\nmicro_batch = 2\nattention = \"unfused\"\ndropout = true", "tensor = 4");
  EXPECT_DOUBLE_EQ(kept_per_block(scenario), s * b * h / t * (34 + 5 * a * s / h));
}

TEST(Block, kept_activations_are_the_closed_form_without_sequence_parallelism) {
  // s b h (10 + 24 / t + 5 a s / (h t)), equation 2.
  const double s = 2048, b = 1, h = 4096, a = 32, t = 4;
  const Scenario scenario =
      gpt(2, 4, "global_batch = 1\nattention = \"unfused\"\ndropout = true", "tensor = 4\nsequence = false");
  EXPECT_DOUBLE_EQ(kept_per_block(scenario), s * b * h * (10 + 24 / t + 5 * a * s / (h * t)));
}

TEST(Block, selective_recomputation_keeps_no_scores_and_full_keeps_the_input_alone) {
  const double s = 2048, h = 4096, t = 4;
  const std::string training = "global_batch = 1\nattention = \"unfused\"\ndropout = true\nrecompute = ";
  EXPECT_DOUBLE_EQ(kept_per_block(gpt(2, 4, training + "\"selective\"", "tensor = 4")), s * h / t * 34);
  EXPECT_DOUBLE_EQ(kept_per_block(gpt(2, 4, training + "\"full\"", "tensor = 4")), s * h / t * 2);
}

/// Sum over the ops of the block that is repeated most, of those `wanted` says yes to.
template<class Wanted, class Value>
double sum(const std::vector<Segment>& segments, Wanted wanted, Value value) {
  double total = 0;
  for (const Segment& segment : segments)
    if (segment.name == "dense block" || segment.name == "expert block")
      for (const Op& op : segment.ops)
        if (wanted(op)) total += value(op);
  return total;
}

TEST(Block, products_of_a_block_do_the_arithmetic_of_its_parameters) {
  const Result<Step> step = testing::build_step(gpt(2, 4, "global_batch = 1", "tensor = 4"));
  const auto is_product = [](const Op& op) { return op.kind == OpKind::product; };
  const auto flops = [](const Op& op) { return op.flops; };
  const double expected = 2.0 * 2048 * 12 * 4096.0 * 4096 / 4;
  EXPECT_DOUBLE_EQ(sum(step->works.front().forward, is_product, flops), expected);
  EXPECT_DOUBLE_EQ(sum(step->works.front().backward, is_product, flops), 2 * expected);
}

TEST(Block, full_recomputation_does_the_forward_pass_again) {
  const std::string plain = "global_batch = 1", again = plain + "\nrecompute = \"full\"";
  const Result<Step> without = testing::build_step(gpt(2, 4, plain, "tensor = 4")),
                     with = testing::build_step(gpt(2, 4, again, "tensor = 4"));
  const auto any = [](const Op&) { return true; };
  const auto flops = [](const Op& op) { return op.flops; };
  const double forward = sum(without->works.front().forward, any, flops);
  EXPECT_DOUBLE_EQ(sum(with->works.front().backward, any, flops), sum(without->works.front().backward, any, flops) + forward);
}

TEST(Block, tensor_parallelism_moves_the_same_bytes_with_and_without_sequence_parallelism) {
  const double buffer = 2.0 * 2048 * 4096;
  const auto is = [](CollectiveKind kind) {
    return [kind](const Op& op) {
      return op.kind == OpKind::collective && op.group.kind == GroupKind::tensor && op.collective == kind;
    };
  };
  const auto size = [](const Op& op) { return static_cast<double>(op.size.count()); };
  const Result<Step> plain = testing::build_step(gpt(2, 4, "global_batch = 1", "tensor = 4\nsequence = false"));
  EXPECT_DOUBLE_EQ(sum(plain->works.front().forward, is(CollectiveKind::all_reduce), size), 2 * buffer);
  EXPECT_DOUBLE_EQ(sum(plain->works.front().backward, is(CollectiveKind::all_reduce), size), 2 * buffer);
  const Result<Step> sequence = testing::build_step(gpt(2, 4, "global_batch = 1", "tensor = 4"));
  EXPECT_DOUBLE_EQ(sum(sequence->works.front().forward, is(CollectiveKind::all_gather), size), 2 * buffer);
  EXPECT_DOUBLE_EQ(sum(sequence->works.front().forward, is(CollectiveKind::reduce_scatter), size), 2 * buffer);
  // Backward gathers twice for gradients of outputs and twice more for inputs that are not kept whole.
  EXPECT_DOUBLE_EQ(sum(sequence->works.front().backward, is(CollectiveKind::all_gather), size), 4 * buffer);
}

TEST(Block, ring_attention_passes_keys_and_values_once_forward_and_twice_backward) {
  const Result<Step> step = testing::build_step(gpt(2, 4, "global_batch = 1", "context = 4\ncontext_method = \"ring\""));
  const auto keys = [](const Op& op) { return op.kind == OpKind::collective && op.group.kind == GroupKind::context; };
  const auto size = [](const Op& op) { return static_cast<double>(op.size.count()); };
  const double all_keys = 2.0 * 2 * 4096 * 2048;  // keys and values of the sequence, 2 bytes each
  EXPECT_DOUBLE_EQ(sum(step->works.front().forward, keys, size), all_keys);
  EXPECT_DOUBLE_EQ(sum(step->works.front().backward, keys, size), 2 * all_keys);
}

TEST(Block, a_block_of_the_22B_model_takes_as_long_as_was_measured) {
  // Korthikanti et al., table 4: 7.7 ms forward and 11.9 ms backward on eight A100, 7.2 and 11.8 with sequence parallelism;
  // here without the collectives, which sim adds: 2 x 0.82 ms forward.
  const Scenario scenario = testing::scenario_of(R"(name = "22B"
[model]
layers = 2
hidden = 6144
heads = 64
ffn = 24576
gated = false
vocabulary = 51200
sequence = 2048
[cluster]
gpu = "A100-SXM-80"
gpus = 8
gpus_per_node = 8
[training]
attention = "unfused"
dropout = true
micro_batch = 4
global_batch = 4
[parallel]
tensor = 8
sequence = false
)");
  const Result<Step> step = testing::build_step(scenario);
  const auto computes = [](const Op& op) { return op.kind != OpKind::collective; };
  const auto time = [](const Op& op) { return seconds(op.time); };
  EXPECT_NEAR(sum(step->works.front().forward, computes, time) * 1e3, 7.7 - 1.65, 0.3);
}

TEST(Block, a_sliding_window_is_seen_in_the_layers_that_have_one) {
  const auto flops = [](const std::string& window) {
    const std::string text =
        "name = \"w\"\n[model]\nlayers = 4\nhidden = 4096\nheads = 32\nffn = 16384\nvocabulary = 51200\nsequence = 4096\n" +
        window + "[cluster]\ngpu = \"A100-SXM-80\"\ngpus_per_node = 8\ngpus = 8\n[training]\nglobal_batch = 8\n";
    const Result<Step> step = testing::build_step(testing::scenario_of(text));
    const auto is_attention = [](const Op& op) { return op.kind == OpKind::attention; };
    EXPECT_NEAR(step->flops.attention_causal / step->flops.attention_full * 4096 * 4096,
                sum(step->works.front().forward, is_attention, [](const Op& op) { return op.flops; }) / (4.0 * 4096), 1);
    return step->flops.attention_causal / step->flops.attention_full;
  };
  const double part = 128.0 / 4096, windowed = part * (1 - part / 2);
  EXPECT_DOUBLE_EQ(flops(""), 0.5);
  EXPECT_DOUBLE_EQ(flops("sliding_window = 128\n"), windowed);
  EXPECT_DOUBLE_EQ(flops("sliding_window = 128\nfull_attention_every = 2\n"), (0.5 + windowed) / 2);
  EXPECT_DOUBLE_EQ(flops("sliding_window = 8192\n"), 0.5);  // wider than the sequence: causal attention
}

/// Of a layer of a model with 32 heads on H100s: what `value` says of ops of that name, summed up forward and backward.
template<typename Value>
std::pair<double, double> sums_of(std::string_view name, const std::string& model, const std::string& training, Value value) {
  const Scenario scenario = testing::scenario_of(
      "name = \"w\"\n[model]\nlayers = 4\nhidden = 4096\nheads = 32\nkv_heads = 8\nffn = 16384\nvocabulary = "
      "51200\nsequence = 4096\n" +
      model + "[cluster]\ngpu = \"H100-SXM-80\"\ngpus_per_node = 8\ngpus = 8\n[training]\nglobal_batch = 8\n" + training);
  const Result<Step> step = testing::build_step(scenario);
  const auto named = [&](const Op& op) { return op.name == name; };
  const auto of = [&](const Op& op) { return value(op, *scenario.workload.gpu); };
  const VirtualStageWork& work = step->works.front();
  return {sum(work.forward, named, of), sum(work.backward, named, of)};
}

/// Seconds that ops of one name take.
std::pair<double, double> times_of(std::string_view name, const std::string& model, const std::string& training) {
  return sums_of(name, model, training, [](const Op& op, const GpuPlan&) { return seconds(op.time); });
}

/// Bytes that ops of one name read and write of a token.
std::pair<double, double> bytes_of(std::string_view name, const std::string& model, const std::string& training) {
  return sums_of(name, model, training, [](const Op& op, const GpuPlan& gpu) {
    const double rate = static_cast<double>(gpu.gpu.memory_rate.count()) / 8 * gpu.speed.memory_share;
    return seconds(op.time - gpu.speed.kernel_gap) * rate / 4096;
  });
}

TEST(Block, rotary_embeddings_that_are_scaled_are_kernels_of_pytorch_where_software_has_no_other) {
  const std::string scaled = "scaled_rotary = true\n", apart = "fused_rotary = false\n";
  const auto fused = times_of("rotary", "", "");
  EXPECT_EQ(times_of("rotary", scaled, ""), fused);
  const auto several = times_of("rotary", scaled, apart);
  EXPECT_NEAR(several.first / fused.first, 24.0 * (32 + 8) / (4 * 32), 0.8);  // 24 bytes of queries and keys, 4 of queries
  EXPECT_NEAR(several.second / fused.second, 20.0 * (32 + 8) / (4 * 32), 0.8);
}

TEST(Block, learned_positions_take_no_kernel_of_their_own) {
  const auto none = times_of("rotary", "rotary = false\n", "");
  EXPECT_GT(times_of("rotary", "", "").first, 0);
  EXPECT_EQ(none.first, 0);
  EXPECT_EQ(none.second, 0);
}

TEST(Block, what_surrounds_products_takes_kernels_of_its_own_where_software_fuses_none_of_it) {
  const std::string apart = "fused_layers = false\n", biases = "biases = true\n", low = "precision = \"fp8\"\n";
  constexpr double kWidth = 4096, kQkv = (32 + 2 * 8) * 128, kUp = 2 * 16384, kDown = 16384, kNear = 0.1;
  // Gradients of biases read the gradients of what four matrices put out, two bytes each.
  EXPECT_NEAR(bytes_of("bias", biases, apart).second, 2 * (kQkv + kWidth + kUp + kWidth), kNear);
  EXPECT_EQ(bytes_of("bias", biases, apart).first, 0);
  EXPECT_EQ(bytes_of("bias", "", apart).second, 0);
  EXPECT_EQ(bytes_of("bias", biases, "").second, 0);
  EXPECT_EQ(bytes_of("bias", biases, apart + low).second, 0);  // they come with the conversion
  // Gradients of queries, keys and values are read and written once more.
  EXPECT_NEAR(bytes_of("join", "", apart).second, 4 * kQkv, kNear);
  EXPECT_EQ(bytes_of("join", "", "").second, 0);
  // Gradients of norms' weights read input and gradient again, twice a layer, in software that adds up gradients apart, too.
  const std::string older = apart + "fused_accumulation = false\n";
  EXPECT_NEAR(bytes_of("norm", "", older).second - bytes_of("norm", "", "").second, 2 * 4 * kWidth, kNear);
  EXPECT_EQ(bytes_of("norm", "", apart).second, bytes_of("norm", "", "").second);
  // Inputs of all products are converted, three bytes each; fused kernels leave that of the one after attention alone.
  EXPECT_NEAR(bytes_of("cast", "", apart + low).first, 3 * (3 * kWidth + kDown), kNear);
  EXPECT_NEAR(bytes_of("cast", "", low).first, 3 * kWidth, kNear);
  // Weights as well; here per token, of which there are 4,096.
  const double weights = kWidth * (kQkv + kWidth + kUp + kDown);
  EXPECT_NEAR(bytes_of("cast weights", "", apart + low).first, 4 * weights / 4096, kNear);
  EXPECT_EQ(bytes_of("cast weights", "", low).first, 0);
}

TEST(Block, attention_in_fp8_looks_outside_of_windows_on_its_way_back) {
  const std::string window = "sliding_window = 128\n", half = window + "full_attention_every = 2\n",
                    fp8 = "attention_precision = \"fp8\"\n";
  const auto whole = times_of("attention", "", fp8);
  EXPECT_EQ(times_of("attention", window, fp8).second, whole.second);
  EXPECT_EQ(times_of("attention", half, fp8).second, whole.second);
  EXPECT_LT(times_of("attention", window, fp8).first, 0.5 * whole.first);
  EXPECT_LT(times_of("attention", window, "").second, 0.5 * times_of("attention", "", "").second);
}

TEST(Block, an_activation_in_several_kernels_passes_memory_several_times) {
  const auto time = [](const std::string& fused) {
    const Result<Step> step = testing::build_step(gpt(2, 4, "global_batch = 4\n" + fused, ""));
    const auto is_activation = [](const Op& op) { return op.name == "activation"; };
    return sum(step->works.front().forward, is_activation, [](const Op& op) { return seconds(op.time); });
  };
  EXPECT_NEAR(time("fused_activation = false") / time(""), 10, 0.5);
}

TEST(Block, recomputation_that_stops_early_leaves_the_last_product_out) {
  const auto products = [](const std::string& training) {
    const Result<Step> step = testing::build_step(gpt(2, 1, "global_batch = 1\n" + training, ""));
    const auto is_product = [](const Op& op) { return op.kind == OpKind::product; };
    return sum(step->works.front().backward, is_product, [](const Op& op) { return op.flops; });
  };
  const double none = products(""), full = products("recompute = \"full\""),
               early = products("recompute = \"full\"\nrecompute_early_stop = true");
  EXPECT_NEAR((early - none) / (full - none), 2.0 / 3, 1e-9);  // 8 h^2 of 12 h^2: all but the second matrix of the MLP
  EXPECT_EQ(products("recompute_early_stop = true"), none);
}

TEST(Block, the_loss_passes_the_logits_through_memory_as_often_as_its_kernels_do) {
  const auto bytes = [](const std::string& loss) {
    const Scenario scenario = gpt(2, 1, "global_batch = 1\nloss = \"" + loss + "\"", "");
    const Result<Step> step = testing::build_step(scenario);
    double time = 0;
    for (const std::vector<Segment>* pass : {&step->works.front().forward, &step->works.front().backward})
      for (const Segment& segment : *pass)
        for (const Op& op : segment.ops)
          if (op.name == "loss") time += seconds(op.time - scenario.workload.gpu->speed.kernel_gap);
    return time * static_cast<double>(scenario.workload.gpu->gpu.memory_rate.count()) / 8 *
           scenario.workload.gpu->speed.memory_share / (2048.0 * scenario.workload.model->vocabulary);
  };
  EXPECT_NEAR(bytes("fused"), 8, 0.01);
  EXPECT_NEAR(bytes("softmax"), 36, 0.01);
  EXPECT_NEAR(bytes("separate"), 52, 0.01);
}

}  // namespace
}  // namespace railyard
