#include "workload/transformer.h"

namespace railyard {

namespace {

std::int64_t product(std::uint32_t a, std::uint32_t b) { return std::int64_t{a} * b; }

}  // namespace

std::int64_t mlp_parameters(const ModelPlan& model, std::uint32_t width) {
  return product(model.hidden, width) * (model.gated ? 3 : 2);
}

std::int64_t attention_parameters(const ModelPlan& m) {
  if (m.attention != Attention::mla)
    return product(m.hidden, m.head_dim) * (2 * std::int64_t{m.heads} + 2 * std::int64_t{m.kv_heads});
  const LatentAttention& a = m.latent;
  const std::int64_t query_width = product(m.heads, a.nope + a.rope);
  const std::int64_t query =
      a.query_rank == 0 ? m.hidden * query_width : product(m.hidden, a.query_rank) + a.query_rank * query_width;
  const std::int64_t down = product(m.hidden, a.kv_rank + a.rope);
  const std::int64_t up = a.kv_rank * product(m.heads, a.nope + a.value);
  return query + down + up + product(m.heads, a.value) * m.hidden;
}

std::int64_t expert_parameters(const ModelPlan& model) { return model.experts * mlp_parameters(model, model.expert_ffn); }

std::int64_t shared_block_parameters(const ModelPlan& model, BlockKind kind) {
  const std::int64_t norms = 2 * std::int64_t{model.hidden};
  if (kind == BlockKind::dense) return attention_parameters(model) + mlp_parameters(model, model.ffn) + norms;
  const std::int64_t router = product(model.hidden, model.experts);
  return attention_parameters(model) + model.shared_experts * mlp_parameters(model, model.expert_ffn) + router + norms;
}

std::int64_t replicated_block_parameters(const ModelPlan& m, BlockKind kind, std::uint32_t tensor) {
  std::int64_t whole = 2 * std::int64_t{m.hidden};
  if (kind == BlockKind::moe) whole += product(m.hidden, m.experts);
  if (m.attention == Attention::mla)
    whole += product(m.hidden, m.latent.query_rank + m.latent.kv_rank + m.latent.rope);
  else if (m.kv_heads < tensor)  // a rank holds one of kv_heads, not kv_heads / tensor of one
    whole += 2 * product(m.hidden, m.head_dim) * (tensor - m.kv_heads) / (tensor - 1);  // so that whole + rest / tensor is that
  return whole;
}

std::int64_t embedding_parameters(const ModelPlan& model) { return product(model.vocabulary, model.hidden); }

std::int64_t mtp_parameters(const ModelPlan& model) {
  if (model.mtp_layers == 0) return 0;
  const BlockKind kind = model.kind(model.layers - 1);
  const std::int64_t block = shared_block_parameters(model, kind) + (kind == BlockKind::moe ? expert_parameters(model) : 0);
  return model.mtp_layers * (block + 2 * product(model.hidden, model.hidden));
}

std::int64_t encoder_parameters(const ModelPlan& model) {
  const Encoder& e = model.encoder;
  return e.layers * (4 * product(e.hidden, e.hidden) + 2 * product(e.hidden, e.ffn)) +
         (e.layers == 0 ? 0 : product(e.hidden, model.hidden));
}

std::int64_t total_parameters(const ModelPlan& model) {
  const std::int64_t moe_layers = model.layers - model.dense_layers;
  return model.dense_layers * shared_block_parameters(model, BlockKind::dense) +
         moe_layers * (shared_block_parameters(model, BlockKind::moe) + expert_parameters(model)) +
         embedding_parameters(model) * (model.tied_embeddings ? 1 : 2) + encoder_parameters(model);
}

FlopsPerToken flops_per_token(const ModelPlan& m) {
  const auto used = [&](BlockKind kind) {
    const std::int64_t routed = kind == BlockKind::moe ? m.experts_per_token * mlp_parameters(m, m.expert_ffn) : 0;
    return static_cast<double>(shared_block_parameters(m, kind) - 2 * std::int64_t{m.hidden} + routed);
  };
  const double moe_layers = m.layers - m.dense_layers, blocks = m.layers + m.mtp_layers;
  const double last = used(m.kind(m.layers - 1)) + 2.0 * static_cast<double>(product(m.hidden, m.hidden));
  const double weights = m.dense_layers * used(BlockKind::dense) + moe_layers * used(BlockKind::moe) + m.mtp_layers * last +
                         (1.0 + m.mtp_layers) * static_cast<double>(embedding_parameters(m));
  const double sequence = m.sequence;
  const double encoder_share = m.encoder.tokens / sequence;
  const double encoder_square = 12.0 * m.encoder.layers * m.encoder.tokens * m.encoder.hidden * encoder_share;
  FlopsPerToken flops;
  flops.products = 6 * (weights + static_cast<double>(encoder_parameters(m)) * encoder_share);
  flops.attention_full = 6.0 * blocks * sequence * m.heads * (m.query_dim() + m.value_dim()) + encoder_square;
  const double seen = 0.5 * (1 - m.windowed()) + m.seen_in_window() * m.windowed();  // of the square
  flops.attention_causal = 6.0 * seen * blocks * sequence * m.heads * (m.query_dim() + m.value_dim()) + encoder_square;
  return flops;
}

}  // namespace railyard
