#include "workload/pass_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "workload/cache.h"

namespace railyard {

namespace {

double width_of_products(Precision precision) {
  return precision == Precision::fp4 ? 0.5 : precision == Precision::fp8 ? 1 : 2;
}

Bytes bytes_at_most(double bytes) { return Bytes(static_cast<std::int64_t>(std::min(bytes, 1e18))); }

/// Forward, of the whole pass. The head is there for the last token of a request.
FlopsPerToken forward_flops(const WorkloadPlan& w, const Step& step) {
  const ModelPlan& m = step.model;
  const double keys = w.pass->cached + (w.pass->side == PassSide::decode ? 1 : m.sequence / 2.0);
  const double attention = 2.0 * m.layers * m.heads * (m.query_dim() + m.value_dim()) * keys_read(m, keys);
  const double head = 2.0 * m.hidden * m.vocabulary * (1 - 1.0 / m.sequence);
  return {step.flops.products / 3 - head, attention, attention};
}

double requests_of_group(const WorkloadPlan& w) { return w.training.micro_batch_size; }

/// Blocks in the precision of products; embedding and head, where each is held, in bf16.
MemoryPlan memory_of(const WorkloadPlan& w, const Step& step, const StageWork& stage, Bytes working) {
  const ModelPlan& m = step.model;
  const double ends = static_cast<double>(embedding_parameters(m)) * (m.tied_embeddings ? 1 : 2) / step.layout.tensor;
  const double blocks = static_cast<double>(stage.held.shared + stage.held.experts) - ends;
  const double tokens = requests_of_group(w) * (w.pass->cached + m.sequence);
  MemoryPlan memory;
  memory.weights = bytes_at_most(blocks * width_of_products(w.training.precision) + ends * 2);
  memory.activations = bytes_at_most(tokens * cache_per_token_of_rank(m, w.pass->cache, step.layout.tensor));
  memory.buffers = working;
  memory.in_flight = 1;
  return memory;
}

}  // namespace

bool can_overlap(const WorkloadPlan& w) {
  const std::uint32_t parts = w.pass->side == PassSide::prefill ? w.model->sequence : w.training.micro_batch_size;
  return w.pass->overlap && w.parallel.expert > 1 && parts > 1;
}

void keep_forward(const WorkloadPlan& w, Step& step) {
  step.pipeline.order = {{Slot{}}};
  Bytes working;
  step.hardware_flops = 0;
  for (VirtualStageWork& work : step.works) {
    work.backward.clear();
    work.kept = {};
    working = std::max(working, work.working);
    for (const Segment& segment : work.forward)
      for (const Op& op : segment.ops) step.hardware_flops += op.flops * segment.repeats * step.layout.stage_ranks();
  }
  step.flops = forward_flops(w, step);
  for (StageWork& stage : step.stages) {
    stage.gradients.assign(step.pipeline.chunks, {});
    stage.gathers = stage.gradients;
    stage.optimizer.clear();
    stage.memory = memory_of(w, step, stage, working);
  }
}

Diagnostics too_full(const WorkloadPlan& w, const GivenKeys& keys, const Step& step) {
  const MemoryPlan& memory = step.stages.front().memory;
  const Bytes room = w.gpu->gpu.memory;
  if (memory.total() <= room) return {};
  const bool decodes = w.pass->side == PassSide::decode;
  const Bytes rest = room - std::min(room, memory.weights), grows = memory.activations + memory.buffers;
  const double fit = requests_of_group(w) * static_cast<double>(rest.count()) / static_cast<double>(grows.count());
  const std::string side = decodes ? "decode" : "prefill";
  return {{Severity::error, "RY-SRV-006",
           fmt::format("a GPU of {} needs {} and {} has {} (weights {}, caches of {} requests {}, buffers {})", side,
                       format(memory.total()), w.gpu_model, format(room), format(memory.weights), w.training.micro_batch_size,
                       format(memory.activations), format(memory.buffers)),
           fit >= 1 ? fmt::format("use at most {} requests of a tensor group, cache = \"fp8\", or more GPUs",
                                  static_cast<std::uint64_t>(fit))
                    : fmt::format("use a larger {}_tensor or {}_expert: weights alone leave no room for a cache", side, side),
           keys.where(decodes ? "serving.batch" : "serving.prefill_batch")}};
}

}  // namespace railyard
