#include "scenario/check/check_training.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/schema.h"
#include "plan/split_layers.h"
#include "scenario/check/check_experts.h"
#include "scenario/check/suggest.h"
#include "scenario/resolve/resolve_model.h"

namespace railyard {

namespace {

constexpr double kMostParameters = 1e15;
constexpr std::uint64_t kMaxVirtualStages = 1U << 15;

class TrainingChecker {
 public:
  TrainingChecker(const ScenarioSpec& scenario, const Catalog& catalog, Complaints& complaints)
      : s_(scenario),
        m_(dimensions_of(scenario, catalog)),
        p_(parallel_of(scenario)),
        catalog_(catalog),
        complaints_(complaints) {}

  void run() {
    dimensions();
    const std::size_t before = complaints_.found().size();
    check_experts({s_, m_, p_, known()}, complaints_);
    if (s_.serving) return;  // its degrees and batches are its own
    degrees();
    tensors();
    expert_widths();
    expert_degrees();
    switches();
    if (std::uint64_t{p_.pipeline} * p_.virtual_pipeline <= kMaxVirtualStages) {
      split();
      schedule();
    } else {
      error("RY-SCN-032", s_.first_given({"parallel.virtual_pipeline", "parallel.pipeline"}),
            fmt::format("pipeline × virtual_pipeline = {} is too large (limit {})",
                        std::uint64_t{p_.pipeline} * p_.virtual_pipeline, kMaxVirtualStages),
            "use fewer stages");
    }
    if (complaints_.found().size() == before) batch();
  }

 private:
  void error(std::string_view code, const std::string& key, std::string message, std::string hint) {
    complaints_.error(code, s_.where(key), std::move(message), std::move(hint));
  }

  void dimensions() {
    if (s_.model->preset.empty() && !s_.given("model.preset")) {
      for (const auto& [key, there] : {std::pair{"layers", m_.layers.has_value()},
                                       {"hidden", m_.hidden.has_value()},
                                       {"heads", m_.heads.has_value()},
                                       {"vocabulary", m_.vocabulary.has_value()},
                                       {"sequence", m_.sequence.has_value() || s_.serving}})
        if (!there && !s_.given(std::string("model.") + key))
          error("RY-SCN-015", "model", fmt::format("the key '{}' is missing", key),
                "give every dimension, or preset = \"…\" (railyard catalog models)");
    }
    if (m_.heads && m_.kv_heads && *m_.heads % *m_.kv_heads != 0)
      error("RY-SCN-026", "model.kv_heads", fmt::format("kv_heads = {} does not divide heads = {}", *m_.kv_heads, *m_.heads),
            fmt::format("use {}", divisors_near(*m_.heads, *m_.kv_heads)));
    if (m_.dense_layers.value_or(0) > m_.layers.value_or(~0U))
      error("RY-SCN-066", "model.dense_layers",
            fmt::format("dense_layers = {} is more than layers = {}", *m_.dense_layers, *m_.layers), "use at most all layers");
    const bool latent = m_.attention == Attention::mla;
    if (latent && !(m_.mla_kv_rank && m_.mla_nope_dim && m_.mla_rope_dim && m_.mla_value_dim))
      error("RY-SCN-067", "model.attention", "latent attention needs its ranks and head widths",
            "give mla_kv_rank, mla_nope_dim, mla_rope_dim and mla_value_dim (and mla_query_rank where queries are compressed)");
    if (m_.hidden && m_.heads && !m_.head_dim && !latent && *m_.hidden % *m_.heads != 0)
      error("RY-SCN-072", "model.heads", fmt::format("heads = {} does not divide hidden = {}", *m_.heads, *m_.hidden),
            fmt::format("use {}, or give head_dim", divisors_near(*m_.hidden, *m_.heads)));
    if (m_.experts && m_.dense_layers.value_or(0) > 0 && !m_.ffn)
      error("RY-SCN-015", "model.dense_layers", "dense layers need the key 'ffn'",
            "add ffn = … to [model]: the width of their MLP");
    if (s_.training.attention_precision == NumberFormat::fp32)
      error("RY-SCN-053", "training.attention_precision", "fused attention computes in bf16 or fp8, not in fp32",
            "use \"bf16\"");
    encoder();
    if (rough_parameters() > kMostParameters)
      error("RY-SCN-070", "model",
            fmt::format("a model of about {:.2g} parameters is too large for Railyard's counters", rough_parameters()),
            fmt::format("stay below {:.0e}", kMostParameters));
    if (m_.encoder_layers && !m_.encoder_tokens)
      error("RY-SCN-015", "model.encoder_layers", "an encoder needs the key 'encoder_tokens'",
            "add encoder_tokens = … to [model]: patches per sequence");
  }

  void encoder() {
    if (!m_.encoder_layers || !m_.hidden) return;
    const std::uint32_t hidden = m_.encoder_hidden.value_or(*m_.hidden), heads = m_.encoder_heads.value_or(1);
    if (hidden % heads != 0)
      error("RY-SCN-068", "model.encoder_heads",
            fmt::format("encoder_heads = {} does not divide encoder_hidden = {}", heads, hidden),
            fmt::format("use {}", divisors_near(hidden, heads)));
    else if (heads % p_.tensor != 0)
      error("RY-SCN-033", s_.first_given({"model.encoder_heads", "model.encoder_layers"}),
            fmt::format("tensor = {} does not divide encoder_heads = {}", p_.tensor, heads),
            fmt::format("use a multiple of {}", p_.tensor));
    const std::uint32_t tokens = m_.encoder_tokens.value_or(0);
    if (tokens % p_.context != 0)
      error("RY-SCN-060", "model.encoder_tokens",
            fmt::format("context = {} does not divide encoder_tokens = {}", p_.context, tokens),
            fmt::format("use a multiple of {}: encoders pad", p_.context));
  }

  /// Enough to tell a model from a slip of the pen.
  double rough_parameters() const {
    const double hidden = m_.hidden.value_or(0), heads = m_.heads.value_or(0), layers = m_.layers.value_or(0);
    const double head = std::max<double>(m_.head_dim.value_or(0), m_.mla_nope_dim.value_or(0) + m_.mla_rope_dim.value_or(0));
    const double widths = m_.ffn.value_or(0) + (m_.experts.value_or(0) + m_.shared_experts.value_or(0)) *
                                                   static_cast<double>(m_.expert_ffn.value_or(m_.ffn.value_or(0)));
    const double encoder = m_.encoder_hidden.value_or(0);
    return (layers + m_.mtp_layers.value_or(0)) * hidden * (4 * std::max(hidden, heads * head) + 3 * widths) +
           2 * hidden * m_.vocabulary.value_or(0) +
           m_.encoder_layers.value_or(0) * encoder * (4 * encoder + 2.0 * m_.encoder_ffn.value_or(0));
  }

  /// Else its dimensions are not known either, and nothing can be said of them.
  bool known() const { return s_.model->preset.empty() || catalog_.models.find(s_.model->preset); }

  std::uint64_t used() const { return std::uint64_t{p_.tensor} * p_.context * p_.pipeline; }

  std::uint32_t per_node() const { return s_.cluster.gpus_per_node.value_or(1); }

  /// Whether a degree would do for all that it has to divide.
  bool is_tensor(std::uint32_t tensor) const {
    const std::uint64_t rest = std::uint64_t{tensor} * p_.context * p_.pipeline, gpus = s_.cluster.gpus.value_or(0);
    const bool kv = !m_.kv_heads || *m_.kv_heads % tensor == 0 || tensor % *m_.kv_heads == 0;
    return kv && m_.heads.value_or(0) % tensor == 0 && m_.ffn.value_or(0) % tensor == 0 && gpus % rest == 0;
  }

  std::string tensors_near(std::uint32_t whole) const {
    std::string found = numbers_near(p_.tensor, m_.heads.value_or(1), [&](std::uint32_t t) { return is_tensor(t); });
    return found.empty() ? divisors_near(whole, p_.tensor) : found;
  }

  std::string contexts_near(std::uint32_t sequence) const {
    const std::uint64_t rest = std::uint64_t{p_.tensor} * p_.pipeline, gpus = s_.cluster.gpus.value_or(0);
    const auto fits = [&](std::uint32_t context) { return sequence % context == 0 && gpus % (rest * context) == 0; };
    const std::string found = numbers_near(p_.context, sequence, fits);
    return found.empty() ? divisors_near(sequence, p_.context) : found;
  }

  void degrees() {
    const std::string key = s_.first_given({"parallel.pipeline", "parallel.tensor", "parallel.context", "cluster.gpus"});
    if (!s_.cluster.gpus) return;
    const std::uint32_t gpus = *s_.cluster.gpus;
    if (gpus < used())
      error("RY-SCN-064", key, fmt::format("tensor × context × pipeline = {} exceeds the {} GPUs of the cluster", used(), gpus),
            fmt::format("use smaller degrees, or at least {} GPUs", gpus_from(used(), per_node(), used())));
    else if (gpus % used() != 0)
      error("RY-SCN-030", key, fmt::format("tensor × context × pipeline = {} does not divide gpus = {}", used(), gpus),
            fmt::format("change a degree, or use {} GPUs", gpus_from(gpus, per_node(), used())));
    else if (s_.parallel.data && *s_.parallel.data != gpus / used())
      error("RY-SCN-031", "parallel.data",
            fmt::format("data = {}, but {} GPUs / (tensor × context × pipeline = {}) = {}", *s_.parallel.data, gpus, used(),
                        gpus / used()),
            "correct it or leave it out: it is derived");
  }

  void tensors() {
    if (m_.heads && *m_.heads % p_.tensor != 0)
      error("RY-SCN-033", "parallel.tensor", fmt::format("tensor = {} does not divide heads = {}", p_.tensor, *m_.heads),
            fmt::format("use {}", tensors_near(*m_.heads)));
    else if (m_.ffn && *m_.ffn % p_.tensor != 0)
      error("RY-SCN-061", "parallel.tensor", fmt::format("tensor = {} does not divide ffn = {}", p_.tensor, *m_.ffn),
            fmt::format("use {}", tensors_near(*m_.ffn)));
    const bool divides = !m_.heads || *m_.heads % p_.tensor == 0;  // else it has been said
    if (divides && m_.kv_heads && *m_.kv_heads % p_.tensor != 0 && p_.tensor % *m_.kv_heads != 0)
      error("RY-SCN-073", "parallel.tensor",
            fmt::format("tensor = {} neither divides kv_heads = {} nor is a multiple of them", p_.tensor, *m_.kv_heads),
            fmt::format("use {}", tensors_near(*m_.kv_heads)));
    if (divides && m_.sequence && p_.tensor > 1 && p_.sequence && *m_.sequence % p_.context == 0 &&
        std::uint64_t{*m_.sequence} / p_.context * s_.training.micro_batch_size % p_.tensor != 0)
      error("RY-SCN-074", "parallel.tensor",
            fmt::format("tensor = {} does not divide the {} tokens of a micro-batch that sequence parallelism splits",
                        p_.tensor, std::uint64_t{*m_.sequence} / p_.context * s_.training.micro_batch_size),
            "use longer sequences or a smaller degree, or sequence = false");
    if (m_.sequence && *m_.sequence % p_.context != 0)
      error("RY-SCN-060", "parallel.context",
            fmt::format("context = {} does not divide the sequence of {} tokens", p_.context, *m_.sequence),
            fmt::format("use {}", contexts_near(*m_.sequence)));
  }

  void expert_widths() {
    if (!m_.experts) return;
    const std::uint32_t width = m_.expert_ffn.value_or(m_.ffn.value_or(0));
    const std::uint32_t etp = p_.expert_tensor;
    if (width % etp != 0)
      error("RY-SCN-061", s_.first_given({"parallel.expert_tensor", "parallel.tensor"}),
            fmt::format("expert_tensor = {} does not divide expert_ffn = {}", etp, width),
            fmt::format("use {}", divisors_near(width, etp)));
    if (std::uint64_t{m_.shared_experts.value_or(0)} * width % p_.tensor != 0)
      error("RY-SCN-061", "parallel.tensor", fmt::format("tensor = {} does not divide the shared experts' width", p_.tensor),
            fmt::format("use {}", divisors_near(width, p_.tensor)));
  }

  /// Numbers of expert ranks that fit into a stage, or how many ranks experts and their tensor groups may have there.
  std::string experts_near(std::uint32_t stage) const {
    const std::string found = numbers_near(p_.expert, m_.experts.value_or(0), [&](std::uint32_t expert) {
      return *m_.experts % expert == 0 && stage % (std::uint64_t{expert} * p_.expert_tensor) == 0;
    });
    if (!found.empty()) return fmt::format("use expert = {}", found);
    return fmt::format("use an expert_tensor that divides {}", stage);
  }

  void expert_degrees() {
    if (known() && p_.expert > 1 && m_.experts.value_or(1) % p_.expert != 0)
      error("RY-SCN-034", "parallel.expert",
            m_.experts ? fmt::format("expert = {} does not divide experts = {}", p_.expert, *m_.experts)
                       : fmt::format("expert = {}, but the model has no experts", p_.expert),
            m_.experts ? fmt::format("use {}", divisors_near(*m_.experts, p_.expert)) : "leave it out");
    if (!s_.cluster.gpus || *s_.cluster.gpus < used() || *s_.cluster.gpus % used() != 0) return;
    const auto stage = static_cast<std::uint32_t>(*s_.cluster.gpus / p_.pipeline);
    const std::uint64_t own = std::uint64_t{p_.expert} * p_.expert_tensor;
    if (stage % own != 0)
      error("RY-SCN-059", s_.first_given({"parallel.expert", "parallel.expert_tensor"}),
            fmt::format("expert × expert_tensor = {} does not fit into the {} ranks of a stage", own, stage),
            experts_near(stage));
    if (stage % own != 0) return;
    const std::uint32_t all = stage / p_.tensor;
    const auto of_experts = m_.experts ? static_cast<std::uint32_t>(stage / std::max<std::uint64_t>(1, own)) : 0;
    const auto divides = [](std::uint32_t group, std::uint32_t ranks) { return ranks <= group || ranks % group == 0; };
    const auto fits = [&](std::uint32_t group) { return divides(group, all) && divides(group, of_experts); };
    if (p_.shard_group && !fits(*p_.shard_group))
      error("RY-SCN-062", "parallel.shard_group",
            fmt::format("shard_group = {} does not divide the {} ranks that share parameters", *p_.shard_group,
                        divides(*p_.shard_group, all) ? of_experts : all),
            fmt::format("use {}", numbers_near(*p_.shard_group, std::max(all, of_experts), fits)));
  }

  /// Switches that are to add up what they forward.
  void switches() {
    if (!p_.switch_reduction) return;
    const auto* const named = catalog_.switches.find(s_.fabric.switch_model);
    const bool infiniband = s_.transport.kind == TransportKind::infiniband;
    if (named ? named->fact.reduces : infiniband || !s_.fabric.switch_model.empty()) return;  // or the name was refused
    error("RY-SCN-147", "parallel.switch_reduction",
          fmt::format("{} does not add up what passes through it", named ? named->name : "a usual Ethernet switch"),
          infiniband ? "use fabric.switch = \"Quantum-2\", or remove switch_reduction"
                     : "use fabric.switch = \"Tomahawk-Ultra\" (\"Quantum-2\" over InfiniBand), or remove switch_reduction");
  }

  std::uint32_t virtual_stages() const {
    return p_.schedule == PipelineSchedule::dualpipe ? p_.pipeline : p_.pipeline * p_.virtual_pipeline;
  }

  void split() {
    if (!m_.layers) return;
    const std::string key = s_.first_given({"parallel.virtual_pipeline", "parallel.pipeline"});
    if (virtual_stages() > *m_.layers + 2) {  // embedding and head count as a layer each
      error("RY-SCN-032", key,
            fmt::format("pipeline × virtual_pipeline = {} is more than the {} layers", virtual_stages(), *m_.layers),
            "use fewer stages");
    } else if (!p_.stage_layers.empty()) {
      const std::uint64_t sum = std::accumulate(p_.stage_layers.begin(), p_.stage_layers.end(), std::uint64_t{0});
      if (p_.stage_layers.size() != virtual_stages() || sum != *m_.layers)
        error("RY-SCN-056", "parallel.stage_layers",
              fmt::format("stage_layers lists {} virtual stages with {} layers, but the pipeline has {} virtual stages and the "
                          "model {} layers",
                          p_.stage_layers.size(), sum, virtual_stages(), *m_.layers),
              fmt::format("give {} numbers that add up to {}, in the order of the model", virtual_stages(), *m_.layers));
    } else if (split_layers(*m_.layers, virtual_stages(), {}).empty()) {
      error("RY-SCN-055", key,
            fmt::format("{} layers do not split evenly into {} virtual stages", *m_.layers, virtual_stages()),
            fmt::format("list the layers of each: stage_layers = [{}]{}", fmt::join(balanced(), ", "), chunks_that_split()));
    }
  }

  /// Nearly equal parts, the last one, which has the head, among the smallest.
  std::vector<std::uint32_t> balanced() const {
    std::vector<std::uint32_t> split(virtual_stages(), *m_.layers / virtual_stages());
    for (std::uint32_t i = 0; i < *m_.layers % virtual_stages(); i++) split[i]++;
    return split;
  }

  /// Other numbers of chunks that need no list.
  std::string chunks_that_split() const {
    std::vector<std::string> found;
    const bool is_free = !s_.given("parallel.schedule") || p_.schedule == PipelineSchedule::interleaved;
    const std::uint32_t most = is_free ? *m_.layers / p_.pipeline + 1 : 1;
    for (std::uint32_t chunks = 1; chunks <= most && found.size() < 3; chunks++)
      if (p_.schedule != PipelineSchedule::dualpipe && !split_layers(*m_.layers, p_.pipeline * chunks, {}).empty())
        found.push_back(std::to_string(chunks));
    return found.empty() ? "" : ", or use virtual_pipeline = " + schema::join(found, " or ");
  }

  /// Stages that DualPipe and the GPUs allow.
  std::string even_stages() const {
    const std::uint64_t inner = std::uint64_t{p_.tensor} * p_.context, gpus = s_.cluster.gpus.value_or(0);
    const auto fits = [&](std::uint32_t stages) { return stages % 2 == 0 && gpus % (inner * stages) == 0; };
    const std::string found = numbers_near(p_.pipeline, m_.layers.value_or(p_.pipeline + 1), fits);
    return found.empty() ? std::to_string(p_.pipeline + 1) : found;
  }

  void schedule() {
    if (p_.expert_overlap && p_.pipeline > 1 && p_.schedule != PipelineSchedule::interleaved)
      error("RY-SCN-057", "parallel.expert_overlap",
            fmt::format("schedule = \"{}\" runs no pass beside another one's collectives{}", name_of(p_.schedule),
                        p_.schedule == PipelineSchedule::dualpipe ? " but those it does already" : ""),
            p_.schedule == PipelineSchedule::dualpipe
                ? "leave expert_overlap out"
                : "use schedule = \"interleaved\" and virtual_pipeline > 1, or leave it out");
    if (p_.virtual_pipeline > 1 && p_.schedule != PipelineSchedule::interleaved)
      error("RY-SCN-057", "parallel.schedule",
            fmt::format("schedule = \"{}\" has no virtual stages, and virtual_pipeline = {}", name_of(p_.schedule),
                        p_.virtual_pipeline),
            "use schedule = \"interleaved\", or leave virtual_pipeline out");
    if (p_.schedule == PipelineSchedule::dualpipe && p_.pipeline % 2 != 0)
      error("RY-SCN-057", "parallel.pipeline",
            fmt::format("schedule = \"dualpipe\" needs an even number of stages, not {}", p_.pipeline), "use " + even_stages());
  }

  void batch() {
    if (!s_.training.global_batch) {
      if (!s_.given("training.global_batch"))
        error("RY-SCN-015", "training", "the key 'global_batch' is missing",
              "add global_batch = … to [training]: sequences per step");
      return;
    }
    if (!s_.cluster.gpus) return;
    const std::uint64_t per_pass = *s_.cluster.gpus / used() * s_.training.micro_batch_size, batch = *s_.training.global_batch;
    const bool dual = p_.schedule == PipelineSchedule::dualpipe, interleaved = p_.schedule == PipelineSchedule::interleaved;
    const std::uint64_t needed = p_.pipeline > 1 ? std::uint64_t{p_.pipeline} * (dual ? 2 : interleaved ? 1 : 0) : 0;
    if (batch % per_pass != 0) {
      const std::uint64_t unit = per_pass * (interleaved ? p_.pipeline : dual ? 2 : 1);
      return error(
          "RY-SCN-035", "training.global_batch",
          fmt::format("global_batch = {} is not a multiple of data × micro_batch = {}", batch, per_pass),
          fmt::format("use a multiple of {}, for instance {}", unit, std::max((batch / unit + 1) * unit, needed * per_pass)));
    }
    const std::uint64_t micro_batches = batch / per_pass;
    if (micro_batches < needed)
      error("RY-SCN-058", "training.global_batch",
            fmt::format("global_batch = {} gives every pipeline {} micro-batches, and {} over {} stages needs {}", batch,
                        micro_batches, name_of(p_.schedule), p_.pipeline, needed),
            fmt::format("use at least {}, or fewer stages", needed * per_pass));
    else if (interleaved && micro_batches % p_.pipeline != 0)
      error("RY-SCN-058", "training.global_batch",
            fmt::format("schedule = \"interleaved\" needs a multiple of {1} micro-batches, and there are {0}", micro_batches,
                        p_.pipeline),
            fmt::format("use {} or {}", micro_batches / p_.pipeline * p_.pipeline * per_pass,
                        (micro_batches / p_.pipeline + 1) * p_.pipeline * per_pass));
    else if (dual && micro_batches % 2 != 0)
      error("RY-SCN-058", "training.global_batch",
            fmt::format("schedule = \"dualpipe\" needs an even number of micro-batches, not {}", micro_batches),
            fmt::format("use {}", (micro_batches + 1) * per_pass));
  }

  const ScenarioSpec& s_;
  const ModelFact m_;
  const ParallelPlan p_;
  const Catalog& catalog_;
  Complaints& complaints_;
};

}  // namespace

void check_training(const ScenarioSpec& scenario, const Catalog& catalog, Complaints& complaints) {
  TrainingChecker(scenario, catalog, complaints).run();
}

}  // namespace railyard
