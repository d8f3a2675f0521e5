#include "workload/transformer.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "scenario/resolve/resolve_model.h"

namespace railyard {
namespace {

TEST(Transformer, parameters_of_every_model_of_the_catalog_are_those_published) {
  for (const Entry<ModelFact>& entry : builtin_catalog().models.entries()) {
    if (!entry.fact.parameters) continue;
    const double counted = static_cast<double>(total_parameters(model_of(entry.fact)));
    EXPECT_NEAR(counted / *entry.fact.parameters, 1, 0.03) << entry.name;
  }
}

TEST(Transformer, arithmetic_of_a_plain_model_is_the_closed_form) {
  // 72 L h^2 + 12 L h s + 6 h V per token (Korthikanti et al., 2022, appendix A).
  ModelPlan m;
  m.layers = m.dense_layers = 96;
  m.hidden = 12288;
  m.heads = m.kv_heads = 96;
  m.head_dim = 128;
  m.ffn = 4 * 12288;
  m.gated = false;
  m.vocabulary = 51200;
  m.sequence = 2048;
  const FlopsPerToken flops = flops_per_token(m);
  const double h = 12288;
  EXPECT_DOUBLE_EQ(flops.products, 72 * 96 * h * h + 6 * h * 51200);
  EXPECT_DOUBLE_EQ(flops.attention_full, 12 * 96 * h * 2048);
  EXPECT_DOUBLE_EQ(flops.attention_causal, flops.attention_full / 2);
}

TEST(Transformer, a_token_uses_its_experts_alone) {
  ModelPlan m;
  m.layers = 2;
  m.dense_layers = 1;
  m.hidden = 64;
  m.heads = m.kv_heads = 4;
  m.head_dim = 16;
  m.ffn = 256;
  m.gated = true;
  m.vocabulary = 100;
  m.sequence = 8;
  m.experts = 16;
  m.experts_per_token = 2;
  m.shared_experts = 1;
  m.expert_ffn = 32;
  const double attention = 4.0 * 64 * 64, dense = 3.0 * 64 * 256, expert = 3.0 * 64 * 32, router = 64.0 * 16;
  EXPECT_DOUBLE_EQ(flops_per_token(m).products, 6 * (2 * attention + dense + 3 * expert + router + 64 * 100));
  EXPECT_EQ(expert_parameters(m), 16 * 3 * 64 * 32);
}

TEST(Transformer, latent_attention_has_its_low_rank_projections) {
  // DeepSeek-V3: 7168 x 1536 + 1536 x 128 x 192 + 7168 x 576 + 512 x 128 x 256 + 128 x 128 x 7168.
  EXPECT_EQ(attention_parameters(model_of(builtin_catalog().models.find("deepseek-v3")->fact)),
            7168LL * 1536 + 1536LL * 128 * 192 + 7168LL * 576 + 512LL * 128 * 256 + 128LL * 128 * 7168);
}

}  // namespace
}  // namespace railyard
