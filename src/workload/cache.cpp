#include "workload/cache.h"

#include <algorithm>

#include "workload/memory.h"

namespace railyard {

namespace {

/// Numbers that one layer keeps of a token.
double kept_by_layer(const ModelPlan& model, std::uint32_t tensor) {
  if (model.attention == Attention::mla) return model.latent.kv_rank + model.latent.rope;
  const std::uint32_t heads = (model.kv_heads + tensor - 1) / tensor;
  return 2.0 * heads * model.head_dim;
}

}  // namespace

double cache_per_token(const ModelPlan& model, NumberFormat format) { return cache_per_token_of_rank(model, format, 1); }

double cache_per_token_of_rank(const ModelPlan& model, NumberFormat format, std::uint32_t tensor) {
  return kept_by_layer(model, tensor) * model.layers * static_cast<double>(width_of(format));
}

double keys_read(const ModelPlan& model, double tokens) {
  const double windowed = model.windowed();
  return tokens * (1 - windowed) + std::min<double>(tokens, model.window) * windowed;
}

}  // namespace railyard
