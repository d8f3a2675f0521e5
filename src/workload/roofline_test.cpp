#include "workload/roofline.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"

namespace railyard {
namespace {

GpuPlan plan_of(const char* gpu) {
  GpuPlan plan;
  plan.gpu = builtin_catalog().gpus.find(gpu)->fact;
  plan.speed = builtin_catalog().speeds.find(gpu)->fact;
  plan.step = builtin_catalog().steps.find("training-step")->fact;
  return plan;
}

double rate(const Product& p, Picoseconds time) { return p.flops() / seconds(time); }

TEST(Roofline, no_product_beats_the_sustained_rate_or_the_peak) {
  for (const Entry<SpeedFact>& entry : builtin_catalog().speeds.entries()) {
    const GpuPlan plan = plan_of(entry.name.c_str());
    const Roofline roofline(plan);
    EXPECT_LT(plan.speed.gemm_bf16, plan.gpu.bf16_dense) << entry.name;
    EXPECT_LT(plan.speed.gemm_fp8.value_or(FlopsPerSecond(0)), plan.gpu.fp8_dense.value_or(FlopsPerSecond(1))) << entry.name;
    for (const std::uint64_t n : {1U, 63U, 256U, 1000U, 4096U, 16384U}) {
      const Product p{n, n, n};
      EXPECT_LT(rate(p, roofline.product(p, Precision::bf16)), static_cast<double>(plan.speed.gemm_bf16.count())) << entry.name;
    }
  }
}

TEST(Roofline, large_products_come_close_to_it) {
  const GpuPlan plan = plan_of("H100-SXM-80");
  const Product p{8192, 16384, 16384};
  const double share = rate(p, Roofline(plan).product(p, Precision::bf16)) / static_cast<double>(plan.speed.gemm_bf16.count());
  EXPECT_GT(share, 0.95);
}

TEST(Roofline, a_wave_that_is_begun_is_paid_for) {
  // 108 tiles of 256 x 128 fill an A100 once; one more row of tiles takes a second wave.
  const Roofline roofline(plan_of("A100-SXM-80"));
  const Picoseconds full = roofline.product({256 * 12, 128 * 9, 4096}, Precision::bf16);
  const Picoseconds more = roofline.product({256 * 13, 128 * 9, 4096}, Precision::bf16);
  EXPECT_GT(seconds(more), 1.3 * seconds(full));
}

TEST(Roofline, thin_products_are_bound_by_memory) {
  const GpuPlan plan = plan_of("H100-SXM-80");
  const double bytes = 2.0 * (16384.0 * 16384 + 16384 + 16384);
  const double at_best = bytes * 8 / static_cast<double>(plan.gpu.memory_rate.count());
  EXPECT_GT(seconds(Roofline(plan).product({1, 16384, 16384}, Precision::bf16)), at_best);
}

TEST(Roofline, measured_blocks_of_a_22B_model_on_A100_come_out_within_five_per_cent) {
  // The products of one block forward, 8,192 tokens on eight GPUs; see block_test for the block as a whole.
  const Roofline roofline(plan_of("A100-SXM-80"));
  const Product qkv{8192, 2304, 6144};
  EXPECT_NEAR(rate(qkv, roofline.product(qkv, Precision::fp16)) / 1e12, 230, 12);
}

TEST(Roofline, fp8_speeds_attention_of_wide_heads_up) {
  for (const char* gpu : {"H100-SXM-80", "GB300"}) {
    const GpuPlan plan = plan_of(gpu);
    const auto time = [&](std::uint32_t head, NumberFormat format) {
      return Roofline(plan).attention(1e12, false, 4096, head, format, AttentionKernel::fused);
    };
    EXPECT_LT(time(128, NumberFormat::fp8), time(128, NumberFormat::bf16)) << gpu;
    EXPECT_EQ(time(64, NumberFormat::fp8), time(64, NumberFormat::bf16)) << gpu;
  }
}

TEST(Roofline, longer_sequences_and_wider_heads_fill_attention_kernels) {
  const Roofline roofline(plan_of("H100-SXM-80"));
  const auto time = [&](std::uint64_t keys, std::uint32_t head, AttentionKernel kernel = AttentionKernel::fused) {
    return roofline.attention(1e12, true, keys, head, NumberFormat::bf16, kernel);
  };
  EXPECT_LT(time(16384, 128), time(2048, 128));
  EXPECT_LT(time(4096, 128), time(4096, 64));
  EXPECT_LT(time(4096, 128), time(4096, 128, AttentionKernel::portable));
  EXPECT_LT(time(4096, 128, AttentionKernel::portable), time(4096, 128, AttentionKernel::triton));
}

TEST(Roofline, narrow_heads_have_the_rate_that_was_measured_for_them) {
  const GpuPlan plan = plan_of("GB200");
  const auto time = [&](std::uint32_t head) {
    return seconds(Roofline(plan).attention(1e12, true, 4096, head, NumberFormat::bf16, AttentionKernel::fused) -
                   plan.speed.kernel_gap);
  };
  EXPECT_NEAR(time(128) / time(64), 0.65, 1e-6);
  EXPECT_NEAR(time(128) / time(32), 0.65 * 0.65, 1e-6);
}

TEST(Roofline, kernels_of_single_experts_cost_by_expert_and_by_row) {
  const GpuPlan plan = plan_of("GB200");
  const Roofline roofline(plan);
  EXPECT_EQ(roofline.expert_kernels(64, 1000, 100_us), plan.step.expert_launch * 64 - 100_us);  // the host is slower
  EXPECT_EQ(roofline.expert_kernels(64, 1000, 10'000_us), plan.step.expert_row * 1000);         // the GPU is
  EXPECT_EQ(roofline.expert_kernels(64, 1'000'000, 1'000_us), plan.step.expert_row * 1'000'000);
}

}  // namespace
}  // namespace railyard
