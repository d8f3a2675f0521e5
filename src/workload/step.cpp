#include "workload/step.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "base/schema.h"
#include "workload/pass_builder.h"
#include "workload/step_builder.h"

namespace railyard {

namespace {

/// Every pass is played one by one.
Diagnostics too_many_passes(const WorkloadPlan& w, const GivenKeys& keys) {
  constexpr double kMost = 8e6;
  const double pipelines = *w.gpus / (static_cast<double>(w.parallel.tensor) * w.parallel.context * w.parallel.pipeline);
  const double passes = 2.0 * *w.training.global_batch / (pipelines * w.training.micro_batch_size) * w.parallel.pipeline *
                        w.parallel.virtual_pipeline;
  if (passes <= kMost) return {};
  return {{Severity::error, "RY-RUN-012", fmt::format("one step has {:.2g} passes, more than Railyard simulates", passes),
           "use a smaller global_batch, larger micro-batches or fewer chunks", keys.where("training.global_batch")}};
}

/// Times are summed as integers later; doubles are exact enough for a refusal.
Diagnostics too_long(const GivenKeys& keys, const Step& step) {
  constexpr double kLongest = 1e17;  // picoseconds: more than a day
  double sum = 0;
  for (const VirtualStageWork& work : step.works)
    for (const auto* segments : {&work.forward, &work.backward})
      for (const Segment& segment : *segments)
        for (const Op& op : segment.ops) sum += static_cast<double>(op.time.count()) * segment.repeats;
  if (sum * step.pipeline.micro_batches * step.pipeline.chunks < kLongest) return {};
  return {{Severity::error, "RY-RUN-013", "this step computes for more than a day",
           "use a smaller model or batch, or more GPUs", keys.where("model")}};
}

const StageWork& fullest(const Step& step) {
  return *std::max_element(step.stages.begin(), step.stages.end(),
                           [](const StageWork& a, const StageWork& b) { return a.memory.total() < b.memory.total(); });
}

/// Changes that make a plan fit, found by trying them, the mildest first.
std::string changes_that_fit(const WorkloadPlan& workload, const GivenKeys& keys) {
  std::vector<std::string> options;
  const Bytes room = workload.gpu->gpu.memory;
  const auto attempt = [&](const std::string& name, bool possible, auto change) {
    if (!possible || options.size() == 3) return;
    WorkloadPlan changed = workload;
    change(changed);
    if (!too_many_passes(changed, keys).empty()) return;
    const Bytes needed = fullest(assemble_step(changed)).memory.total();
    if (needed <= room) options.push_back(fmt::format("{} ({})", name, format(needed)));
  };
  const TrainingSpec& t = workload.training;
  const ParallelPlan& p = workload.parallel;
  attempt("zero = 1", p.zero == 0, [](WorkloadPlan& c) { c.parallel.zero = 1; });
  attempt("recompute = \"selective\"", t.recompute == Recompute::none,
          [](WorkloadPlan& c) { c.training.recompute = Recompute::selective; });
  for (std::uint32_t smaller = t.micro_batch_size; smaller % 2 == 0;) {
    smaller /= 2;
    const std::size_t before = options.size();
    attempt(fmt::format("micro_batch = {}", smaller), true, [&](WorkloadPlan& c) { c.training.micro_batch_size = smaller; });
    if (options.size() > before) break;
  }
  static constexpr std::uint32_t kUsualSequence = 4096;
  const bool long_preset = !keys.given("model.sequence") && workload.model->sequence > kUsualSequence;
  attempt(fmt::format("model.sequence = {} instead of the preset's {}", kUsualSequence, workload.model->sequence),
          long_preset && kUsualSequence % (p.context * p.tensor) == 0,
          [](WorkloadPlan& c) { c.model->sequence = kUsualSequence; });
  attempt("recompute = \"full\"", t.recompute != Recompute::full,
          [](WorkloadPlan& c) { c.training.recompute = Recompute::full; });
  for (const std::uint32_t zero : {2U, 3U})
    attempt(fmt::format("zero = {}", zero), zero > p.zero, [&](WorkloadPlan& c) { c.parallel.zero = zero; });
  attempt("recompute = \"full\" with zero = 3", true, [](WorkloadPlan& c) {
    c.training.recompute = Recompute::full;
    c.parallel.zero = 3;
  });
  if (options.empty()) return "use more tensor or pipeline parallelism: neither recomputation nor ZeRO alone makes it fit";
  return "use " + schema::join(options, ", or ") + ", or more tensor or pipeline parallelism";
}

}  // namespace

bool takes_part(const Op& op, PassKind kind) {
  if (kind == PassKind::weight_gradient) return op.weight;
  return kind != PassKind::input_gradient || !op.weight;
}

Result<Step> build_step(const WorkloadPlan& workload, const GivenKeys& keys, bool with_remedies) {
  if (Diagnostics refused = too_many_passes(workload, keys); !refused.empty()) return refused;
  Step step = assemble_step(workload);
  if (Diagnostics refused = too_long(keys, step); !refused.empty()) return refused;
  if (workload.pass) {
    if (Diagnostics refused = too_full(workload, keys, step); !refused.empty()) return refused;
    return step;
  }
  const Bytes room = workload.gpu->gpu.memory;
  const MemoryPlan& memory = fullest(step).memory;
  if (memory.total() > room)
    return Diagnostics{
        {Severity::error, "RY-MEM-001",
         fmt::format("stage {} needs {} and {} has {}: {} too much (weights {}, gradients {}, optimizer {}, "
                     "activations of {} passes {}, buffers {})",
                     &fullest(step) - step.stages.data(), format(memory.total()), workload.gpu_model, format(room),
                     format(memory.total() - room), format(memory.weights), format(memory.gradients), format(memory.optimizer),
                     memory.in_flight, format(memory.activations), format(memory.buffers)),
         with_remedies ? changes_that_fit(workload, keys) : std::string(), keys.where("parallel")}};
  return step;
}

}  // namespace railyard
