// Attention of a pass that writes one token of every request: it reads keys and values of all that came before
// (docs/models.md, serving).
#include <algorithm>

#include "workload/block_writer.h"
#include "workload/cache.h"

namespace railyard {

/// Queries are brought to the space of the latents, so that these are read as they are kept: nothing of a cache is
/// decompressed. What attention gives is brought back to the widths of values.
void BlockWriter::absorbed_projections() {
  const LatentAttention& a = c_.model.latent;
  const auto rows = static_cast<std::uint64_t>(rows_);
  if (a.query_rank > 0) {
    replicated("down", c_.model.hidden, a.query_rank + a.kv_rank + a.rope);
    column("q up", a.query_rank, heads() * (a.nope + a.rope));
  } else {
    replicated("down", c_.model.hidden, a.kv_rank + a.rope);
    column("q", c_.model.hidden, heads() * (a.nope + a.rope));
  }
  forward(memory_op("norm", rows_ * (a.query_rank + a.kv_rank) * 2 * kAct));
  forward(product_op("absorb keys", {rows, a.kv_rank, a.nope, heads()}, Precision::bf16));
}

/// A kernel reads all that is kept, and multiplies it with the queries of every head: whichever takes longer. Rates of
/// arithmetic are those of fused attention on heads of usual width.
void BlockWriter::cached_core() {
  const LatentAttention& a = c_.model.latent;
  const bool latent = c_.model.attention == Attention::mla;
  const double keys = keys_read(c_.model, cached() + 1), count = static_cast<double>(heads());
  const double both = latent ? 2.0 * a.kv_rank + a.rope : 2.0 * c_.model.head_dim;
  const double flops = 2 * rows_ * keys * count * both;
  const double kept = cache_per_token_of_rank(c_.model, c_.pass->cache, c_.layout.tensor) / c_.model.layers;
  constexpr std::uint32_t kUsualWidth = 128;
  if (c_.model.rotary) forward(memory_op("rotary", rows_ * count * c_.model.query_dim() * 2 * kAct));
  forward(compute(OpKind::attention, "attention", flops,
                  std::max(c_.roofline.memory(rows_ * keys * kept),
                           c_.roofline.attention(flops, true, static_cast<std::uint64_t>(keys), kUsualWidth, NumberFormat::bf16,
                                                 AttentionKernel::fused))));
  if (latent)
    forward(product_op("absorb values", {static_cast<std::uint64_t>(rows_), a.value, a.kv_rank, heads()}, Precision::bf16));
}

namespace {

/// Collectives of experts run beside all that is computed in the block; others stay where they are.
void append_half(const BlockWork& half, BlockWork& both) {
  for (Op op : half.forward) {
    if (op.kind == OpKind::collective && op.group.kind == GroupKind::expert) op.beside = Beside::block;
    both.forward.push_back(op);
  }
  both.kept += half.kept;
  both.working = std::max(both.working, half.working);
}

}  // namespace

/// Prompts are cut in the middle, so that a single one has two halves; batches of tokens are dealt by request.
BlockWork halves_work(const BlockContext& context, BlockKind kind) {
  ModelPlan model = context.model;
  TrainingSpec training = context.training;
  PassPlan pass = *context.pass;
  BlockWork both;
  for (const bool second : {false, true}) {
    const auto part = [second](std::uint32_t all) { return second ? all - all / 2 : all / 2; };
    if (pass.side == PassSide::prefill) {
      model.sequence = part(context.model.sequence);
      pass.cached = context.pass->cached + (second ? context.model.sequence / 2 : 0);
    } else {
      training.micro_batch_size = part(context.training.micro_batch_size);
    }
    const BlockContext own{
        model, training, context.parallel, context.layout, context.roofline, context.routing, context.activation_kernels,
        &pass};
    append_half(block_work(own, kind), both);
  }
  return both;
}

}  // namespace railyard
