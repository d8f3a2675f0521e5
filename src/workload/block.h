// One block of a transformer, as one rank of a tensor-, context- and expert-parallel group does it for one micro-batch.
#pragma once

#include "workload/layout.h"
#include "workload/ops.h"
#include "workload/roofline.h"
#include "workload/routing.h"
#include "workload/transformer.h"

namespace railyard {

/// What every block is built from.
struct BlockContext {
  const ModelPlan& model;
  const TrainingSpec& training;
  const ParallelPlan& parallel;
  const Layout& layout;
  const Roofline& roofline;
  Routing routing;                      // of a model with experts
  std::int64_t activation_kernels = 1;  // of an activation that is not fused
  const PassPlan* pass = nullptr;       // of serving: forward alone, with keys and values that are there already

  [[nodiscard]] bool sequence_parallel() const { return layout.tensor > 1 && parallel.sequence; }
  /// Tokens of one micro-batch on one rank.
  [[nodiscard]] std::uint64_t tokens() const {
    return std::uint64_t{training.micro_batch_size} * model.sequence / layout.context;
  }
};

/// Forward ops, backward ops (those that compute again what was not kept come first) and what is kept in between.
struct BlockWork {
  std::vector<Op> forward, backward;
  Bytes kept;
  Bytes working;  // what one block needs while it computes its backward pass: everything full recomputation had dropped
};

BlockWork block_work(const BlockContext& context, BlockKind kind);
BlockWork embedding_work(const BlockContext& context);
/// The head: projection to the vocabulary, split over the tensor group, and the loss.
BlockWork head_work(const BlockContext& context);
/// One block of the multimodal encoder.
BlockWork encoder_work(const BlockContext& context);
/// The same of a pass of serving, in two halves: what one sends runs beside what the other computes. REQUIRES: context.pass.
BlockWork halves_work(const BlockContext& context, BlockKind kind);
/// A product that brings something of width `in` to the width of the model: the output of an encoder, or two embeddings side by
/// side.
BlockWork merge_work(const BlockContext& context, std::string_view name, std::uint64_t in);

/// Copies per token of a dispatch that leave the rank, and of those the ones that leave the domain.
struct Spread {
  double copies = 0, remote = 0;
};
Spread spread_of(const BlockContext& context);

}  // namespace railyard
