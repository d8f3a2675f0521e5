#include "workload/block_writer.h"

namespace railyard {

namespace {

struct LossBytes {
  double forward, backward, kept;  // of one logit
};

/// fused: logits are read, their gradients written. softmax, in fp32: convert, softmax; then a gradient of zeros, the
/// softmax's, and convert back. separate, in fp32: convert, maximum, subtract, exponentiate, sum, divide; gradient, and convert
/// back.
LossBytes loss_bytes(LossKernels kernels) {
  if (kernels == LossKernels::fused) return {4, 4, 2};
  return kernels == LossKernels::softmax ? LossBytes{14, 22, 4} : LossBytes{38, 14, 4};
}

}  // namespace

void BlockWriter::embedding() {
  const double width = stream_ * c_.model.hidden, bytes = sent_width() * rows_ * c_.model.hidden;
  forward(memory_op("embedding", width * 2 * kAct));
  if (c_.layout.tensor > 1) forward(reduce_op(bytes, Beside::nothing));
  std::vector<Op>& back = backward();
  if (c_.sequence_parallel())
    back.push_back(collective_op("gather", CollectiveKind::all_gather, GroupKind::tensor, bytes, Beside::nothing));
  back.push_back(memory_op("embedding", rows_ / t_ * c_.model.hidden * 3 * kAct));
  back.back().weight = true;
}

/// The products stay in bf16, whatever the blocks compute in.
void BlockWriter::head() {
  const std::uint64_t vocabulary_shard = (c_.model.vocabulary + c_.layout.tensor - 1) / c_.layout.tensor;
  const auto rows = static_cast<std::uint64_t>(rows_);
  const std::uint64_t hidden = c_.model.hidden;
  const double logits = rows_ * static_cast<double>(vocabulary_shard),
               input = sent_width() * rows_ * static_cast<double>(hidden);
  const LossBytes loss = loss_bytes(c_.training.loss);
  norm();
  std::vector<Op>& back = backward();
  back.push_back(memory_op("loss", logits * loss.backward));
  if (c_.sequence_parallel()) {
    gather_input(input);
    back.push_back(collective_op("gather", CollectiveKind::all_gather, GroupKind::tensor, input, beside_input()));
  }
  forward(product_op("head", {rows, vocabulary_shard, hidden}, Precision::bf16));
  forward(memory_op("loss", logits * loss.forward));
  if (c_.layout.tensor > 1)
    forward(collective_op("loss", CollectiveKind::all_reduce, GroupKind::tensor, 12 * rows_, Beside::nothing));
  back.push_back(product_op("head", {rows, hidden, vocabulary_shard}, Precision::bf16));
  if (c_.layout.tensor > 1) back.push_back(reduce_op(input, beside_weights()));
  back.push_back(weight_op("head", {hidden, vocabulary_shard, rows}, Precision::bf16));
  kept_ += logits * loss.kept;
}

Spread spread_of(const BlockContext& c) {
  const Group group = c.layout.group(GroupKind::expert);
  if (group.size == 1) return {};
  const double ranks = group.size, local = group.local;
  const double domains = ranks / local;
  if (c.parallel.expert_dispatch == Dispatch::all_to_all)
    return {c.model.experts_per_token * (1 - 1 / ranks), c.model.experts_per_token * (1 - local / ranks)};
  return {c.routing.ranks_visited * (1 - 1 / ranks), c.routing.domains_visited * (1 - 1 / domains)};
}

BlockWork block_work(const BlockContext& context, BlockKind kind) {
  BlockWriter writer(context);
  writer.attention();
  if (kind == BlockKind::dense)
    writer.dense_mlp(context.model.ffn);
  else
    writer.experts();
  return writer.take(context.training.recompute);
}

BlockWork embedding_work(const BlockContext& context) {
  BlockWriter writer(context);
  writer.embedding();
  return writer.take(Recompute::none);
}

BlockWork head_work(const BlockContext& context) {
  BlockWriter writer(context);
  writer.head();
  return writer.take(Recompute::none);
}

BlockWork merge_work(const BlockContext& context, std::string_view name, std::uint64_t in) {
  BlockWriter writer(context);
  writer.merge(name, in);
  return writer.take(Recompute::none);
}

/// The encoder as a model of its own: as many tokens per sequence as it has, plain blocks.
BlockWork encoder_work(const BlockContext& context) {
  ModelPlan tower;
  tower.layers = tower.dense_layers = context.model.encoder.layers;
  tower.hidden = context.model.encoder.hidden;
  tower.heads = tower.kv_heads = context.model.encoder.heads;
  tower.head_dim = tower.hidden / tower.heads;
  tower.ffn = context.model.encoder.ffn;
  tower.sequence = context.model.encoder.tokens;
  tower.gated = tower.causal = false;
  BlockContext own{tower, context.training, context.parallel, context.layout, context.roofline, {}, context.activation_kernels};
  return block_work(own, BlockKind::dense);
}

}  // namespace railyard
