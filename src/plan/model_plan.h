// A transformer with every dimension known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "catalog/facts.h"

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

struct ModelPlan {
  std::string preset;                          // its name in the catalog; empty: described by the scenario
  std::uint32_t layers = 0, dense_layers = 0;  // the first `dense_layers` have no experts; all of them in a dense model
  std::uint32_t hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, ffn = 0, vocabulary = 0, sequence = 0;
  bool gated = true, tied_embeddings = false, causal = true;
  Attention attention = Attention::mha;
  std::uint32_t window = 0;                   // keys a token sees in layers with a sliding window; 0: there are none
  std::uint32_t full_every = 0;               // of so many layers one sees all keys; 0: none does
  bool rotary = true, scaled_rotary = false;  // rotary embeddings, multiplied by a factor
  bool biases = false;                        // of matrices
  LatentAttention latent;
  std::uint32_t experts = 0, experts_per_token = 0, shared_experts = 0, expert_ffn = 0;
  bool experts_follow_ffn = false;  // nobody gave expert_ffn: experts are as wide as a dense MLP
  std::uint32_t expert_groups = 1, expert_group_limit = 1;
  std::uint32_t mtp_layers = 0;
  Encoder encoder;

  /// Share of the layers that have a sliding window.
  [[nodiscard]] double windowed() const { return window == 0 ? 0 : full_every == 0 ? 1 : 1 - 1.0 / full_every; }
  /// Of the square of queries and keys, what a causal layer with a window computes.
  [[nodiscard]] double seen_in_window() const {
    const double part = std::min(1.0, window / static_cast<double>(sequence));
    return part * (1 - part / 2);
  }

  [[nodiscard]] BlockKind kind(std::uint32_t layer) const { return layer < dense_layers ? BlockKind::dense : BlockKind::moe; }

  /// Widths of one head's query and key, and of its value.
  [[nodiscard]] std::uint32_t query_dim() const { return attention == Attention::mla ? latent.nope + latent.rope : head_dim; }
  [[nodiscard]] std::uint32_t value_dim() const { return attention == Attention::mla ? latent.value : head_dim; }
};

}  // namespace railyard
