// A transformer with every dimension known, and what follows from the dimensions alone: parameters and arithmetic.
#pragma once

#include <cstdint>

#include "plan/workload_plan.h"

namespace railyard {

struct LatentAttention {
  std::uint32_t query_rank = 0;  // 0: queries are not compressed
  std::uint32_t kv_rank = 0, nope = 0, rope = 0, value = 0;
};

/// Vision or audio tower in front of the model; its blocks have full attention and a plain MLP.
struct Encoder {
  std::uint32_t layers = 0, hidden = 0, heads = 1, ffn = 0, tokens = 0;
};

enum class BlockKind : std::uint8_t { dense, moe };

struct Transformer {
  std::uint32_t layers = 0, dense_layers = 0;  // the first `dense_layers` have no experts; all of them in a dense model
  std::uint32_t hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, ffn = 0, vocabulary = 0, sequence = 0;
  bool gated = true, tied_embeddings = false, causal = true;
  Attention attention = Attention::mha;
  LatentAttention latent;
  std::uint32_t experts = 0, experts_per_token = 0, shared_experts = 0, expert_ffn = 0;
  std::uint32_t expert_groups = 1, expert_group_limit = 1;
  std::uint32_t mtp_layers = 0;
  Encoder encoder;

  [[nodiscard]] BlockKind kind(std::uint32_t layer) const { return layer < dense_layers ? BlockKind::dense : BlockKind::moe; }

  /// Widths of one head's query and key, and of its value.
  [[nodiscard]] std::uint32_t query_dim() const { return attention == Attention::mla ? latent.nope + latent.rope : head_dim; }
  [[nodiscard]] std::uint32_t value_dim() const { return attention == Attention::mla ? latent.value : head_dim; }
};

/// REQUIRES: the scenario has a model and was checked.
Transformer transformer_of(const ModelSpec& model);

std::int64_t mlp_parameters(const Transformer& model, std::uint32_t width);
std::int64_t attention_parameters(const Transformer& model);
/// Everything of a block but its routed experts, and those experts.
std::int64_t shared_block_parameters(const Transformer& model, BlockKind kind);
/// Of the former, what every tensor rank holds whole: norms, the router, down-projections of latents, and copies of key/value
/// heads where there are fewer of them than ranks.
std::int64_t replicated_block_parameters(const Transformer& model, BlockKind kind, std::uint32_t tensor);
std::int64_t expert_parameters(const Transformer& model);  // of one MoE block, all experts
std::int64_t embedding_parameters(const Transformer& model);
std::int64_t mtp_parameters(const Transformer& model);
std::int64_t encoder_parameters(const Transformer& model);
/// Without the blocks that predict further tokens, as published totals count.
std::int64_t total_parameters(const Transformer& model);

/// Arithmetic of one step per token, forward and backward, in FLOP.
struct FlopsPerToken {
  double products = 0;          // matrix products with weights: 6 per parameter used
  double attention_full = 0;    // scores and values over the whole square
  double attention_causal = 0;  // over its lower triangle
};
FlopsPerToken flops_per_token(const Transformer& model);

}  // namespace railyard
