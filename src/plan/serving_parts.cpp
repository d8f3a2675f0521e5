#include "plan/serving_parts.h"

namespace railyard {

namespace {

struct Side {
  std::uint32_t gpus, tensor, expert;
};

Side side_of(const ServingSpec& s, PassSide side) {
  if (side == PassSide::prefill) return {*s.prefill_gpus, s.prefill_tensor, s.prefill_expert};
  return {*s.decode_gpus, s.decode_tensor, s.decode_expert};
}

/// Copies of experts count as experts of their own: tokens go to one of them.
void shape_model(const ServingSpec& s, PassSide side, ModelPlan& model) {
  model.sequence = side == PassSide::prefill ? *s.prompt - s.prefix() : 1;
  model.mtp_layers = 0;
  if (side == PassSide::decode) model.encoder.layers = 0;
  if (model.experts == 0) return;
  model.experts += s.redundant_experts;
  if (model.experts % model.expert_groups != 0) model.expert_groups = model.expert_group_limit = 1;
}

/// Nothing is kept for a way back, and nothing is sharded.
TrainingSpec training_of(const ServingSpec& s, std::uint32_t requests, std::uint32_t groups) {
  TrainingSpec training;
  training.micro_batch_size = requests;
  training.global_batch = requests * groups;
  training.precision = s.precision;
  training.recompute = Recompute::full;
  training.dispatch = s.dispatch.value_or(s.precision == Precision::fp8 ? NumberFormat::fp8 : NumberFormat::bf16);
  training.combine = s.combine;
  training.routing_skew = s.routing_skew;
  return training;
}

ParallelPlan parallel_of_side(const Side& side, PassSide which) {
  ParallelPlan parallel;
  parallel.tensor = side.tensor;
  parallel.expert = side.expert;
  parallel.expert_tensor = side.expert > 1 ? 1 : side.tensor;
  parallel.sequence = parallel.data_overlap = false;
  parallel.tensor_overlap = TensorOverlap::none;
  parallel.expert_dispatch = which == PassSide::prefill ? Dispatch::deduplicated : Dispatch::all_to_all;
  return parallel;
}

}  // namespace

std::uint32_t groups_of(const ServingSpec& serving, PassSide side) {
  const Side of = side_of(serving, side);
  return of.gpus / of.tensor;
}

Scenario pass_of(const Scenario& scenario, PassSide side, std::uint32_t requests) {
  Scenario out = scenario;
  const ServingSpec serving = *scenario.workload.serving;
  const Side of = side_of(serving, side);
  WorkloadPlan& w = out.workload;
  w.serving.reset();
  w.pass = PassPlan{.side = side,
                    .cached = side == PassSide::prefill ? serving.prefix() : serving.seen(),
                    .cache = serving.cache,
                    .overlap = serving.overlap};
  shape_model(serving, side, *w.model);
  w.training = training_of(serving, requests, groups_of(serving, side));
  w.parallel = parallel_of_side(of, side);
  w.gpus = of.gpus;
  if (of.expert > 1)
    w.gpu->step.scale_out_share = serving.exchange_share;
  else
    w.gpu->speed.scale_up_latency = serving.all_reduce_latency / 2;  // it goes there and back
  return out;
}

}  // namespace railyard
