// What follows from the dimensions of a transformer alone: parameters and arithmetic.
#pragma once

#include <cstdint>

#include "plan/model_plan.h"

namespace railyard {

std::int64_t mlp_parameters(const ModelPlan& model, std::uint32_t width);
std::int64_t attention_parameters(const ModelPlan& model);
/// Everything of a block but its routed experts, and those experts.
std::int64_t shared_block_parameters(const ModelPlan& model, BlockKind kind);
/// Of the former, what every tensor rank holds whole: norms, the router, down-projections of latents, and copies of key/value
/// heads where there are fewer of them than ranks.
std::int64_t replicated_block_parameters(const ModelPlan& model, BlockKind kind, std::uint32_t tensor);
std::int64_t expert_parameters(const ModelPlan& model);  // of one MoE block, all experts
std::int64_t embedding_parameters(const ModelPlan& model);
std::int64_t mtp_parameters(const ModelPlan& model);
std::int64_t encoder_parameters(const ModelPlan& model);
/// Without the blocks that predict further tokens, as published totals count.
std::int64_t total_parameters(const ModelPlan& model);

/// Arithmetic of one step per token, forward and backward, in FLOP.
struct FlopsPerToken {
  double products = 0;          // matrix products with weights: 6 per parameter used
  double attention_full = 0;    // scores and values over the whole square
  double attention_causal = 0;  // over its lower triangle
};
FlopsPerToken flops_per_token(const ModelPlan& model);

}  // namespace railyard
