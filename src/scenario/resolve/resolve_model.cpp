#include "scenario/resolve/resolve_model.h"

#include "base/schema.h"
#include "catalog/keys.h"

namespace railyard {

namespace {

Encoder encoder_of(const ModelFact& known) {
  Encoder encoder;
  if (!known.encoder_layers) return encoder;
  encoder.layers = *known.encoder_layers;
  encoder.hidden = known.encoder_hidden.value_or(known.hidden.value_or(0));
  encoder.heads = known.encoder_heads.value_or(1);
  encoder.ffn = known.encoder_ffn.value_or(encoder.hidden * 4);
  encoder.tokens = known.encoder_tokens.value_or(0);
  return encoder;
}

/// Lists what nobody gave and the step depends on.
class OpenDimensions {
 public:
  OpenDimensions(const ModelFact& known, const ModelPlan& plan, std::vector<Input>& inputs)
      : known_(known), plan_(plan), inputs_(inputs) {}

  void list() {
    const bool latent = plan_.attention == Attention::mla, experts = plan_.experts > 0;
    if (!latent) {
      open(known_.kv_heads, "kv_heads", plan_.kv_heads, "as many as heads: multi-head attention");
      open(known_.head_dim, "head_dim", plan_.head_dim, "hidden / heads");
    }
    if (plan_.dense_layers > 0 || plan_.experts_follow_ffn) open(known_.ffn, "ffn", plan_.ffn, "4 × hidden, as in GPT");
    open(known_.gated, "gated", plan_.gated, "gated MLPs are usual since Llama");
    open(known_.tied_embeddings, "tied_embeddings", plan_.tied_embeddings, "usual in large models");
    if (experts) {
      open(known_.dense_layers, "dense_layers", plan_.dense_layers, "every layer has experts");
      open(known_.experts_per_token, "experts_per_token", plan_.experts_per_token, "as in Switch Transformer");
      open(known_.shared_experts, "shared_experts", plan_.shared_experts, "none unless a model is known for them");
      open(known_.expert_ffn, "expert_ffn", plan_.expert_ffn, "experts as wide as a dense MLP");
    }
    if (plan_.encoder.layers > 0) {
      open(known_.encoder_hidden, "encoder_hidden", plan_.encoder.hidden, "as wide as the model");
      open(known_.encoder_ffn, "encoder_ffn", plan_.encoder.ffn, "4 × encoder_hidden");
    }
  }

 private:
  template<class Known, class Value>
  void open(const std::optional<Known>& known, const char* key, const Value& value, const char* why) {
    if (!known) inputs_.push_back({std::string("model.") + key, schema::written(value), {Status::assumed, why}});
  }

  const ModelFact& known_;
  const ModelPlan& plan_;
  std::vector<Input>& inputs_;
};

}  // namespace

ModelFact dimensions_of(const ScenarioSpec& spec, const Catalog& catalog) {
  const auto* preset = catalog.models.find(spec.model->preset);
  if (!preset) return *spec.model;
  ModelFact known = preset->fact;
  for (const Key<ModelFact>& key : model_keys())
    if (spec.given("model." + key.info.name)) key.copy(*spec.model, known);
  return known;
}

ModelPlan model_of(const ModelFact& known) {
  ModelPlan m;
  m.layers = known.layers.value_or(0);
  m.hidden = known.hidden.value_or(0);
  m.heads = known.heads.value_or(0);
  m.kv_heads = known.kv_heads.value_or(m.heads);
  m.head_dim = known.head_dim.value_or(m.heads == 0 ? 0 : m.hidden / m.heads);
  m.gated = known.gated.value_or(true);
  m.ffn = known.ffn.value_or(known.expert_ffn ? 0 : m.hidden * 4);
  m.vocabulary = known.vocabulary.value_or(0);
  m.sequence = known.sequence.value_or(0);
  m.tied_embeddings = known.tied_embeddings.value_or(false);
  m.attention = known.attention.value_or(m.kv_heads < m.heads ? Attention::gqa : Attention::mha);
  m.window = known.sliding_window.value_or(0);
  m.full_every = known.full_attention_every.value_or(0);
  m.rotary = known.rotary.value_or(true);
  m.scaled_rotary = known.scaled_rotary.value_or(false);
  m.biases = known.biases.value_or(false);
  m.latent = {known.mla_query_rank.value_or(0), known.mla_kv_rank.value_or(0), known.mla_nope_dim.value_or(0),
              known.mla_rope_dim.value_or(0), known.mla_value_dim.value_or(0)};
  m.experts = known.experts.value_or(0);
  m.dense_layers = m.experts == 0 ? m.layers : known.dense_layers.value_or(0);
  m.experts_per_token = known.experts_per_token.value_or(m.experts == 0 ? 0 : 1);
  m.shared_experts = known.shared_experts.value_or(0);
  m.expert_ffn = known.expert_ffn.value_or(m.ffn);
  m.experts_follow_ffn = m.experts > 0 && !known.expert_ffn;
  m.expert_groups = known.expert_groups.value_or(1);
  m.expert_group_limit = known.expert_group_limit.value_or(m.expert_groups);
  m.mtp_layers = known.mtp_layers.value_or(0);
  m.encoder = encoder_of(known);
  return m;
}

ParallelPlan parallel_of(const ScenarioSpec& spec) {
  const ParallelSpec& p = spec.parallel;
  ParallelPlan plan{.tensor = p.tensor,
                    .context = p.context,
                    .pipeline = p.pipeline,
                    .virtual_pipeline = p.virtual_pipeline,
                    .expert = p.expert,
                    .expert_tensor = p.expert_tensor.value_or(p.expert > 1 ? 1 : p.tensor),
                    .zero = p.zero,
                    .shard_group = p.shard_group,
                    .schedule = p.schedule,
                    .stage_layers = p.stage_layers,
                    .order = p.order,
                    .sequence = p.sequence.value_or(true),
                    .tensor_overlap = p.tensor_overlap,
                    .context_method = p.context_method,
                    .expert_dispatch = p.expert_dispatch,
                    .expert_overlap = false,
                    .shared_expert_overlap = p.shared_expert_overlap,
                    .pipeline_overlap = p.pipeline_overlap,
                    .data_overlap = p.data_overlap,
                    .switch_reduction = p.switch_reduction,
                    .bucket = p.bucket};
  const bool chunks = p.virtual_pipeline > 1;
  if (chunks && !spec.given("parallel.schedule")) plan.schedule = PipelineSchedule::interleaved;
  if (!chunks && p.schedule == PipelineSchedule::interleaved) plan.schedule = PipelineSchedule::one_f_one_b;
  // Software does it where it can; who asks for it where nothing can hears of it (check_training).
  const bool able = p.pipeline == 1 || plan.schedule == PipelineSchedule::interleaved;
  plan.expert_overlap = p.expert_overlap && p.expert > 1 && (able || spec.given("parallel.expert_overlap"));
  return plan;
}

void resolve_model(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out) {
  const ModelFact known = dimensions_of(spec, catalog);
  out.workload.model = model_of(known);
  out.workload.model->preset = spec.model->preset;
  out.workload.parallel = parallel_of(spec);
  OpenDimensions(known, *out.workload.model, out.inputs).list();
  const auto* software = catalog.software.find(spec.training.software);
  if (!software) return;
  for (const auto& [path, key] : spec.software_keys)
    out.inputs.push_back({path, key.value, {software->origin.status, software->name + ": " + software->origin.source}});
}

}  // namespace railyard
