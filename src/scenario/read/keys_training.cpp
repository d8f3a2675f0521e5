#include <algorithm>

#include "catalog/keys.h"
#include "scenario/read/effect_conditions.h"
#include "scenario/read/keys_parts.h"

namespace railyard {

namespace {

using namespace conditions;

const KeyEffect kSliceKeys{kPacketStep, {}, kAnyTransport, "it is for fidelity = \"packet\""};

/// Dimensions of the model are keys of the catalog, which does not know what becomes of them.
KeyEffect effect_of_dimension(std::string_view name) {
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const KeyEffect steps{kAnyModel};
  if (name == "sequence" || name == "mtp_layers") return {kAnyStep};
  if (is({"parameters", "active_parameters"}))
    return {0, {}, kAnyTransport, "entries of the catalog are held against it, a scenario's model is counted"};
  if (is({"expert_groups", "expert_group_limit"})) return steps.when(kExperts).when(kLimitedRouting);
  if (is({"experts_per_token", "shared_experts", "expert_ffn", "dense_layers"})) return steps.when(kExperts);
  if (name.starts_with("mla_")) return steps.when(kLatentAttention);
  if (is({"kv_heads", "head_dim"})) return steps.when(kPlainAttention);
  if (name == "scaled_rotary") return KeyEffect{kAnyStep}.when(kRotaryApart);
  if (name == "rotary") return steps.when(kFusedAttention);
  if (name == "biases") return KeyEffect{kAnyStep}.when(kLayersApart).when(kFullPrecision);
  if (name == "full_attention_every") return steps.when(kWindow);
  if (name == "ffn") return steps.when(kDenseLayers);
  if (name.starts_with("encoder_") && name != "encoder_layers") return steps.when(kEncoder);
  return steps;
}

/// [model] takes the keys of the catalog's models beside `preset`.
Section model() {
  std::vector<TableKey<ModelSpec>> keys = {
      key("preset", &ModelSpec::preset, "a model of the catalog; keys beside it override its dimensions")};
  for (const Key<ModelFact>& dimension : model_keys())
    keys.push_back(only(effect_of_dimension(dimension.info.name), dimension.inherited<ModelSpec>()));
  return section(
      "model", "the model that is trained or served", {kAnyModel},
      [](ScenarioSpec& s) -> ModelSpec& { return present(s.model); }, std::move(keys));
}

TableKey<TrainingSpec> fused_rotary() {
  return only(KeyEffect{kAnyStep, {kScaledRotary}},
              key("fused_rotary", &TrainingSpec::fused_rotary,
                  "rotary embeddings that are scaled are one kernel; else PyTorch's, one for each step"));
}

TableKey<TrainingSpec> fused_layers() {
  return key(
      "fused_layers", &TrainingSpec::fused_layers,
      "what surrounds products and norms is part of their kernels, as in Transformer Engine; else PyTorch's: gradients of "
      "biases and of norms' weights, gradients of queries, keys and values that are joined, inputs in low precision");
}

TableKey<TrainingSpec> gpu_spread() {
  return key("gpu_spread", &TrainingSpec::gpu_spread,
             "standard deviation of the GPUs' speed, as a share: the slowest of all sets the pace; the catalog's if not given",
             {.min = 0.0, .max = 0.2});
}

Section training() {
  return section(
      "training", "how it is trained", {kAnyStep}, [](ScenarioSpec& s) -> TrainingSpec& { return s.training; },
      {key("global_batch", &TrainingSpec::global_batch, "sequences per step", kRanks),
       key("micro_batch", &TrainingSpec::micro_batch_size, "sequences per micro-batch; micro_batch_size is another name of it",
           kCount),
       key("precision", &TrainingSpec::precision, "number format of the matrix products"),
       only(KeyEffect{kAnyStep, {kFp8}},
            key("fp8_scaling", &TrainingSpec::fp8_scaling, "one scale per tensor, or per block of it")),
       key("recompute", &TrainingSpec::recompute, "activations computed again in the backward pass"),
       only(KeyEffect{kAnyStep, {kFullRecompute, kDenseBlocks}},
            key("recompute_early_stop", &TrainingSpec::recompute_early_stop,
                "full recomputation ends once it has what the backward pass needs, before the last product of a dense layer")),
       key("attention", &TrainingSpec::attention,
           "a fused kernel made for the GPU, one that runs on any, or kernels that write every score to memory; triton: a "
           "fused kernel of the first generation"),
       only(KeyEffect{kAnyStep, {kFormatOfAttention}},
            key("attention_precision", &TrainingSpec::attention_precision, "number format inside fused attention")),
       key("dropout", &TrainingSpec::dropout, "dropout after attention and MLP"),
       key("loss", &TrainingSpec::loss,
           "kernels of the loss: one; a softmax and what is around it; or one for each of its parts, over logits in memory"),
       key("fused_accumulation", &TrainingSpec::fused_accumulation,
           "products add to the gradients in memory; else a kernel of its own does"),
       key("fused_activation", &TrainingSpec::fused_activation, "an MLP's activation is one kernel; else several pass memory"),
       fused_rotary(),
       fused_layers(),
       key("software", &TrainingSpec::software,
           "a release of the catalog: what it does, keys of [training] and [parallel] that are not given"),
       only(KeyEffect{kAnyStep, {kExperts}},
            key("cuda_graphs", &TrainingSpec::cuda_graphs,
                "launches of layers with experts that are captured in graphs; partial: attention, router and preparation")),
       only(KeyEffect{kAnyStep, {kExperts}}, key("expert_products", &TrainingSpec::expert_products,
                                                 "products of the experts of a GPU: one grouped kernel, or kernels of each")),
       key("gradients", &TrainingSpec::gradients, "number format in which gradients are summed and reduced"),
       only(KeyEffect{kAnyStep, {kSharded, kReplicas}},
            key("parameters", &TrainingSpec::parameters, "number format in which sharded parameters are gathered")),
       key("moments", &TrainingSpec::moments, "number format of the optimizer's moments"),
       only(KeyEffect{kAnyStep, {kTensor}}, key("activations", &TrainingSpec::activations,
                                                "number format in which tensor parallelism gathers and scatters them")),
       only(KeyEffect{kAnyStep, {kSpreadExperts}},
            key("dispatch", &TrainingSpec::dispatch, "number format of tokens in dispatch (to the experts)")),
       only(KeyEffect{kAnyStep, {kSpreadExperts}},
            key("combine", &TrainingSpec::combine, "number format of tokens in combine (back from the experts)")),
       only(KeyEffect{kAnyStep, {kExperts}},
            key("capacity_factor", &TrainingSpec::capacity_factor,
                "tokens an expert is padded to, over the mean; more are dropped. Not given: neither",
                {.min = 0.1, .max = 100.0})),
       only(KeyEffect{kAnyStep, {kExperts}},
            key("routing_skew", &TrainingSpec::routing_skew, "Zipf exponent of the experts' popularity; 0 is even",
                {.min = 0.0, .max = 4.0})),
       only(KeyEffect{kAnyStep, {kExperts}},
            key("expert_load", &TrainingSpec::expert_load, "file with each expert's share of the tokens, or a row per rank")),
       key("host_overhead", &TrainingSpec::host_overhead, "time of the host per step: data, logging, synchronisation", kDelay),
       key("straggler", &TrainingSpec::straggler, "how much longer one slow GPU computes, as a share",
           {.min = 0.0, .max = 10.0}),
       gpu_spread(),
       key("tokens", &TrainingSpec::tokens, "tokens of the whole training, for `railyard goodput`; a run does not read it",
           {.min = 1.0, .max = 1e18})});
}

Section parallel() {
  return section(
      "parallel", "how it is spread over GPUs", {kAnyStep}, [](ScenarioSpec& s) -> ParallelSpec& { return s.parallel; },
      {key("tensor", &ParallelSpec::tensor, "tensor-parallel degree", kCount),
       key("context", &ParallelSpec::context, "context-parallel degree", kCount),
       key("pipeline", &ParallelSpec::pipeline, "pipeline stages", kCount),
       key("virtual_pipeline", &ParallelSpec::virtual_pipeline, "model chunks per stage", kCount),
       key("expert", &ParallelSpec::expert, "expert-parallel degree", kCount),
       only(KeyEffect{kAnyStep, {kExperts}},
            key("expert_tensor", &ParallelSpec::expert_tensor,
                "tensor-parallel degree inside an expert; 1, or tensor where expert is 1", kCount)),
       key("data", &ParallelSpec::data, "data-parallel degree; derived, and checked if given", kCount),
       key("zero", &ParallelSpec::zero, "ZeRO stage: what data parallelism shards; 3 is FSDP", {.min = 0, .max = 3}),
       only(KeyEffect{kAnyStep, {kSharded, kReplicas}},
            key("shard_group", &ParallelSpec::shard_group, "ranks ZeRO shards over (HSDP); all data-parallel ones if not given",
                kCount)),
       key("schedule", &ParallelSpec::schedule, "order of the pipeline's passes; interleaved where there are chunks"),
       key("stage_layers", &ParallelSpec::stage_layers, "layers of each chunk in the order of the model", {.max = 1U << 20}),
       only(KeyEffect{kAnyStep, {kStages}},
            key("order", &ParallelSpec::order, "which positions are neighbours, nearest first")),
       only(KeyEffect{kAnyStep, {kTensor}},
            key("sequence", &ParallelSpec::sequence, "sequence parallelism beside tensor parallelism; on if not given")),
       only(KeyEffect{kAnyStep, {kTensor}}, key("tensor_overlap", &ParallelSpec::tensor_overlap,
                                                "tensor-parallel collectives that run beside matrix products")),
       only(KeyEffect{kAnyStep, {kContext}},
            key("context_method", &ParallelSpec::context_method, "how keys and values get around")),
       only(KeyEffect{kAnyStep, {kSpreadExperts}},
            key("expert_dispatch", &ParallelSpec::expert_dispatch, "a copy per expert, or one per node and GPU")),
       only(KeyEffect{kAnyStep, {kSpreadExperts}}, key("expert_overlap", &ParallelSpec::expert_overlap,
                                                       "dispatch and combine run beside the compute of another micro-batch")),
       only(KeyEffect{kAnyStep, {kSpreadExperts, kSharedExperts}},
            key("shared_expert_overlap", &ParallelSpec::shared_expert_overlap,
                "dispatch and combine run beside the shared experts of their layer")),
       only(KeyEffect{kAnyStep, {kStages}},
            key("pipeline_overlap", &ParallelSpec::pipeline_overlap, "stages send while they compute")),
       only(KeyEffect{kAnyStep, {kReplicas}},
            key("data_overlap", &ParallelSpec::data_overlap, "gradients and parameters travel while GPUs compute")),
       only(KeyEffect{kAnyStep, {kReplicas}},
            key("bucket", &ParallelSpec::bucket, "gradients that travel together", {.min = 1_B, .max = kLargestBuffer})),
       only(KeyEffect{kAnyStep, {kReplicas}},
            key("switch_reduction", &ParallelSpec::switch_reduction,
                "switches of the network add up gradients (SHARP) and spread parameters, where they can"))});
}

Section slice() {
  const Picoseconds hour(3600 * kPicosecondsPerSecond);
  Section all = section(
      "slice", "the slice of a training step that fidelity = \"packet\" simulates", kSliceKeys,
      [](ScenarioSpec& s) -> SliceSpec& { return present(s.slice); },
      {key("collective", &SliceSpec::collectives,
           "collectives by the names of reports and --flows (\"gradients\", \"boundary\"); if not given, the one that moves "
           "most bytes, or all where `from` is given"),
       key("ranks", &SliceSpec::ranks, "ranks whose groups participate; all if not given", {.max = (1U << 24) - 1}),
       key("from", &SliceSpec::from,
           "where the slice begins, from the step's beginning; if not given, where the first of it starts", {.max = hour}),
       key("length", &SliceSpec::length, "how long it is", {.min = 1_us, .max = hour})});
  all.is_one_thing = true;
  return all;
}

Section jitter() {
  return section(
      "jitter", "collectives of a training step that begin late, to see what that does to the step", {kAnyStep},
      [](ScenarioSpec& s) -> JitterSpec& { return present(s.jitter); },
      {key("collective", &JitterSpec::collectives,
           "collectives by the names of reports (\"gradients\", \"dispatch\", \"boundary\") or by the kind of their group "
           "(\"data\", \"tensor\", \"pipeline\"); all if not given"),
       key("delay", &JitterSpec::delay, "how late they begin", kDelay),
       key("min", &JitterSpec::min, "or at least, drawn for every call; 0 if only `max` is given", kDelay),
       key("max", &JitterSpec::max, "and at most", kDelay),
       key("which", &JitterSpec::which, "calls of each stage that begin late"),
       key("calls", &JitterSpec::calls, "or these by number, from 0 in the order of a stage's program"),
       key("share", &JitterSpec::share, "share of those calls, drawn", {.min = 0.0, .max = 1.0}),
       key("ranks", &JitterSpec::ranks, "ranks whose stages are hit; all if not given", {.max = (1U << 24) - 1})});
}

}  // namespace

std::vector<Section> training_sections() { return {model(), training(), parallel(), slice(), jitter()}; }

}  // namespace railyard
