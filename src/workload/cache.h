// Keys and values that serving keeps of every token, so that they are not computed again (docs/models.md, serving).
#pragma once

#include "plan/choices.h"
#include "plan/model_plan.h"

namespace railyard {

/// Bytes that all layers keep of one token: keys and values of every head, or what latent attention compresses them to.
double cache_per_token(const ModelPlan& model, NumberFormat format);

/// Of these, what one rank of a tensor group holds: a latent cannot be cut, and there are no fewer heads than one.
double cache_per_token_of_rank(const ModelPlan& model, NumberFormat format, std::uint32_t tensor);

/// Keys that a layer reads for one token on average, where `tokens` came before it: fewer where layers have a window.
double keys_read(const ModelPlan& model, double tokens);

}  // namespace railyard
