#include "tools/plan/job_space.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/check.h"
#include "base/choice.h"
#include "base/quantity_text.h"
#include "plan/split_layers.h"
#include "workload/memory.h"
#include "workload/transformer.h"

namespace railyard {

namespace {

using Numbers = std::set<std::uint32_t>;

Numbers powers_up_to(std::uint64_t most) {
  Numbers out;
  for (std::uint64_t value = 1; value <= most; value *= 2) out.insert(static_cast<std::uint32_t>(value));
  return out;
}

Numbers divisors_up_to(std::uint32_t of, std::uint32_t most) {
  Numbers out;
  for (std::uint32_t i = 1; i <= std::min(of, most); i++)
    if (of % i == 0) out.insert(i);
  return out;
}

Axis axis_of(const std::string& key, const Numbers& values) {
  Axis axis{key, {}};
  for (const std::uint32_t value : values) axis.values.push_back({std::to_string(value), {fmt::format("{}={}", key, value)}});
  return axis;
}

/// The choice `first` is the first value, so that a late axis begins with what the scenario has.
template<class E>
Axis choice_axis(const std::string& key, E first, const std::vector<E>& others) {
  Axis axis{key, {}};
  const auto add = [&](E value) {
    const std::string name(name_of(value));
    axis.values.push_back({name, {key + "=" + name}});
  };
  add(first);
  for (const E other : others)
    if (other != first) add(other);
  return axis;
}

/// Stages and chunks that models are cut into.
constexpr std::uint32_t kMostStages = 64;
/// Fewer tokens of a sequence than this are not given to a context rank.
constexpr std::uint32_t kLeastTokens = 1024;
const Numbers kChunks = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16};

std::vector<Axis> usual_axes(const Scenario& s) {
  const WorkloadPlan& w = s.workload;
  const ParallelPlan& p = w.parallel;
  const auto with = [](Numbers values, std::uint32_t own) { return values.insert(own), values; };
  std::vector<Axis> axes;
  axes.push_back(axis_of("parallel.tensor", with(powers_up_to(w.gpu->scale_up_domain), p.tensor)));
  axes.push_back(axis_of("parallel.context", with(powers_up_to(std::max(1U, w.model->sequence / kLeastTokens)), p.context)));
  const std::uint32_t stages = std::min(w.model->layers, kMostStages);
  axes.push_back(axis_of("parallel.pipeline", with(divisors_up_to(*w.gpus, stages), p.pipeline)));
  axes.push_back(axis_of("parallel.virtual_pipeline", with(kChunks, p.virtual_pipeline)));
  if (w.model->experts > 0) axes.push_back(axis_of("parallel.expert", with(powers_up_to(w.model->experts), p.expert)));
  axes.push_back(axis_of("parallel.zero", {0, 1, 2, 3}));
  axes.push_back(axis_of("training.micro_batch", with({1, 2, 4, 8}, w.training.micro_batch_size)));
  axes.push_back(choice_axis("training.recompute", Recompute::none, {Recompute::selective, Recompute::full}));
  axes.push_back(choice_axis("parallel.order", p.order, {RankOrder::data_inside, RankOrder::pipeline_inside}));
  axes.back().is_late = true;
  return axes;
}

std::vector<Axis> laid_over(std::vector<Axis> axes, const std::vector<Axis>& vary) {
  for (const Axis& own : vary) {
    const auto same = std::find_if(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == own.name; });
    if (same == axes.end())
      axes.push_back(own);
    else
      *same = own;
  }
  return axes;
}

std::optional<std::uint32_t> number_of(const std::string& text) {
  std::uint32_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

template<class E>
std::optional<E> choice_named(std::string_view text) {
  std::size_t i = 0;
  for (const std::string_view name : ChoiceNames<E>::names) {
    if (name == text) return static_cast<E>(i);
    i++;
  }
  return std::nullopt;
}

/// As equal as can be; the last part, which has the head, is among the smallest.
std::vector<std::uint32_t> balanced(std::uint32_t layers, std::uint32_t parts) {
  std::vector<std::uint32_t> out(parts, layers / parts);
  for (std::uint32_t i = 0; i < layers % parts; i++) out[i]++;
  return out;
}

/// Keys that a glance takes into account, and those that cannot change what it says.
bool is_harmless(const std::string& key) {
  static constexpr std::string_view kDegrees[] = {
      "parallel.tensor",    "parallel.context",       "parallel.pipeline", "parallel.virtual_pipeline",
      "parallel.expert",    "parallel.expert_tensor", "parallel.zero",     "training.micro_batch",
      "training.recompute", "parallel.schedule",      "parallel.order"};
  if (std::find(std::begin(kDegrees), std::end(kDegrees), key) != std::end(kDegrees)) return true;
  return !key.starts_with("parallel.") && !key.starts_with("training.") && !key.starts_with("cluster.");
}

double of(FlopsPerSecond rate) { return static_cast<double>(rate.count()); }

}  // namespace

JobSpace::JobSpace(const Scenario& scenario, const std::vector<Axis>& vary, bool only)
    : scenario_(scenario), space_(laid_over(only ? std::vector<Axis>{} : usual_axes(scenario), vary)) {
  RY_CHECK(scenario.workload.model && scenario.workload.gpu && scenario.workload.gpus, "a plan is for a model on GPUs");
  for (const Axis& axis : space_.axes()) {
    has_bounds_ = has_bounds_ && is_harmless(axis.name);
    numbers_.emplace_back();
    for (const AxisValue& value : axis.values) numbers_.back().push_back(number_of(value.text));
  }
  baseline_ = find_baseline();
}

JobSpace::Degrees JobSpace::degrees(PointId point) const {
  const ParallelPlan& p = scenario_.workload.parallel;
  const TrainingSpec& t = scenario_.workload.training;
  Degrees d{p.tensor,        p.context, p.pipeline,         p.virtual_pipeline, p.expert,
            p.expert_tensor, p.zero,    t.micro_batch_size, t.recompute,        p.schedule};
  const std::vector<std::uint32_t> chosen = space_.choices(point);
  bool is_named = false;
  for (std::size_t i = 0; i < chosen.size(); i++) {
    const std::string& name = space_.axes()[i].name;
    const std::string& text = space_.axes()[i].values[chosen[i]].text;
    for (const auto& [key, degree] : {std::pair{"parallel.tensor", &d.tensor},
                                      {"parallel.context", &d.context},
                                      {"parallel.pipeline", &d.pipeline},
                                      {"parallel.virtual_pipeline", &d.chunks},
                                      {"parallel.expert", &d.expert},
                                      {"parallel.expert_tensor", &d.expert_tensor},
                                      {"parallel.zero", &d.zero},
                                      {"training.micro_batch", &d.micro_batch}})
      if (name == key && numbers_[i][chosen[i]]) *degree = *numbers_[i][chosen[i]];
    if (name == "training.recompute") d.recompute = choice_named<Recompute>(text).value_or(d.recompute);
    if (name == "parallel.schedule") {
      d.schedule = choice_named<PipelineSchedule>(text).value_or(d.schedule);
      is_named = true;
    }
  }
  const bool is_usual = d.schedule == PipelineSchedule::one_f_one_b || d.schedule == PipelineSchedule::interleaved;
  if (!is_named && (is_usual || d.chunks > 1 || d.pipeline == 1))
    d.schedule = d.chunks > 1 ? PipelineSchedule::interleaved : PipelineSchedule::one_f_one_b;
  return d;
}

std::vector<std::string> JobSpace::overrides(PointId point) const {
  std::vector<std::string> set = space_.overrides(point);
  const ParallelPlan& p = scenario_.workload.parallel;
  const Degrees d = degrees(point);
  if (d.schedule != p.schedule) set.push_back(fmt::format("parallel.schedule={}", name_of(d.schedule)));
  if (scenario_.keys.given("parallel.data")) set.push_back("parallel.data=");
  const bool same_parts = d.pipeline == p.pipeline && d.chunks == p.virtual_pipeline && d.schedule == p.schedule;
  if (same_parts) return set;
  const std::uint32_t layers = scenario_.workload.model->layers;
  const std::uint32_t parts = d.schedule == PipelineSchedule::dualpipe ? d.pipeline : d.pipeline * d.chunks;
  if (split_layers(layers, parts, {}).empty())
    set.push_back(fmt::format("parallel.stage_layers=[{}]", fmt::join(balanced(layers, parts), ", ")));
  else if (!p.stage_layers.empty())
    set.push_back("parallel.stage_layers=");
  return set;
}

std::string JobSpace::wrong_degrees(const Degrees& d) const {
  const ModelPlan& m = *scenario_.workload.model;
  const std::uint64_t gpus = *scenario_.workload.gpus, used = std::uint64_t{d.tensor} * d.context * d.pipeline;
  if (gpus % used != 0) return "degrees do not divide the GPUs";
  if (m.heads % d.tensor != 0 || m.ffn % d.tensor != 0) return "tensor parallelism does not divide heads and widths";
  if (m.sequence % d.context != 0) return "context parallelism does not divide the sequence";
  const std::uint64_t replicas = gpus / used, batch = *scenario_.workload.training.global_batch;
  if (batch % (replicas * d.micro_batch) != 0) return "micro-batches do not fill the batch";
  return {};
}

std::string JobSpace::wrong_experts(const Degrees& d) const {
  const ModelPlan& m = *scenario_.workload.model;
  if (m.experts == 0) return {};
  const std::uint64_t stage = *scenario_.workload.gpus / d.pipeline, own = std::uint64_t{d.expert} * d.expert_tensor;
  return m.experts % d.expert != 0 || stage % own != 0 ? "expert parallelism does not divide experts and ranks" : "";
}

std::string JobSpace::wrong_pipeline(const Degrees& d) const {
  const std::uint32_t layers = scenario_.workload.model->layers;
  if (d.chunks > 1 && d.pipeline == 1) return "one stage needs no chunks";
  if (d.schedule == PipelineSchedule::dualpipe && (d.pipeline % 2 != 0 || d.chunks > 1))
    return "DualPipe needs pairs of stages";
  const std::uint32_t parts = d.pipeline * d.chunks;
  if (parts > layers + 2) return "there are more parts of the pipeline than layers";
  const ParallelPlan& p = scenario_.workload.parallel;
  const bool given = d.pipeline == p.pipeline && d.chunks == p.virtual_pipeline;
  if (d.chunks > 1 && !given && split_layers(layers, parts, {}).empty()) return "layers do not split into chunks evenly";
  const std::uint64_t replicas = *scenario_.workload.gpus / (std::uint64_t{d.tensor} * d.context * d.pipeline);
  const std::uint64_t micro_batches = *scenario_.workload.training.global_batch / (replicas * d.micro_batch);
  if (d.schedule == PipelineSchedule::interleaved && micro_batches % d.pipeline != 0)
    return "chunks need a multiple of as many micro-batches as stages";
  if (d.chunks == 1 && parts > layers) return "there are more parts of the pipeline than layers";
  return {};
}

/// Weights, gradients and optimizer of the mean stage: some stage holds as much.
double JobSpace::state_bytes(const Degrees& d) const {
  const WorkloadPlan& w = scenario_.workload;
  const ModelPlan& m = *w.model;
  const std::int64_t of_experts = m.experts > 0 ? (m.layers - m.dense_layers) * expert_parameters(m) : 0;
  const std::int64_t stage_experts = of_experts / d.pipeline / d.expert / d.expert_tensor;
  const std::int64_t stage_shared = (total_parameters(m) - of_experts) / d.pipeline / d.tensor;
  const bool twice = d.schedule == PipelineSchedule::dualpipe;
  const std::uint32_t all = *w.gpus / d.pipeline / d.tensor, among_experts = *w.gpus / d.pipeline / d.expert / d.expert_tensor;
  const std::uint32_t most = w.parallel.shard_group.value_or(all);
  const Sharding sharding{d.zero, std::min(all, most) * (twice ? 2 : 1),
                          std::min(std::max(1U, among_experts), most) * (twice ? 2 : 1)};
  const MemoryPlan plan =
      state_memory({stage_shared * (twice ? 2 : 1), stage_experts * (twice ? 2 : 1)}, {}, sharding, w.training);
  return static_cast<double>(plan.total().count());
}

double JobSpace::least_time(const Degrees& d) const {
  const WorkloadPlan& w = scenario_.workload;
  const SpeedFact& speed = w.gpu->speed;
  double product_rate = of(speed.gemm_bf16);
  if (w.training.precision == Precision::fp8 || w.training.precision == Precision::fp4)
    product_rate =
        std::max({product_rate, of(speed.gemm_fp8.value_or(speed.gemm_bf16)), of(speed.gemm_fp4.value_or(speed.gemm_bf16))});
  const FlopsPerToken flops = flops_per_token(*w.model);
  const double tokens = static_cast<double>(*w.training.global_batch) * w.model->sequence;
  const double attention_rate = std::max(of(speed.attention_forward), of(speed.attention_backward)) *
                                (w.training.attention_precision == NumberFormat::fp8 ? 2 : 1);
  double each = flops.products / product_rate + flops.attention_causal / attention_rate;
  if (d.recompute == Recompute::full)
    each += flops.products / 3 / product_rate * (w.training.recompute_early_stop ? 0.6 : 0.95);
  const double compute = each * tokens / *w.gpus;
  const double replicas = static_cast<double>(*w.gpus) / d.tensor / d.context / d.pipeline;
  const double micro_batches = *w.training.global_batch / (replicas * d.micro_batch);
  const bool has_bubble = d.schedule == PipelineSchedule::one_f_one_b || d.schedule == PipelineSchedule::interleaved;
  // Stages at the ends hold fewer layers: the bubble is a little smaller than between equal ones.
  const double bubble = has_bubble ? 0.9 * (d.pipeline - 1) / (micro_batches * d.chunks) : 0;
  return compute * (1 + bubble) * (1 - w.training.capacity_factor.has_value() * 0.5);
}

Glance JobSpace::glance(PointId point) const {
  const Degrees d = degrees(point);
  // Each relies on what was asked before: more ranks than GPUs leave no replica.
  for (const auto wrong : {&JobSpace::wrong_degrees, &JobSpace::wrong_experts, &JobSpace::wrong_pipeline})
    if (const std::string why = (this->*wrong)(d); !why.empty()) return {why, 0};
  if (!has_bounds_) return {};
  if (state_bytes(d) > static_cast<double>(scenario_.workload.gpu->gpu.memory.count()))
    return {"weights, gradients and optimizer alone do not fit into memory", 0};
  return {{}, least_time(d)};
}

std::uint32_t JobSpace::replicas(PointId point) const {
  const Degrees d = degrees(point);
  return *scenario_.workload.gpus / (d.tensor * d.context * d.pipeline);
}

std::optional<PointId> JobSpace::find_baseline() const {
  const ParallelPlan& p = scenario_.workload.parallel;
  const TrainingSpec& t = scenario_.workload.training;
  const std::pair<std::string, std::string> own[] = {{"parallel.tensor", std::to_string(p.tensor)},
                                                     {"parallel.context", std::to_string(p.context)},
                                                     {"parallel.pipeline", std::to_string(p.pipeline)},
                                                     {"parallel.virtual_pipeline", std::to_string(p.virtual_pipeline)},
                                                     {"parallel.expert", std::to_string(p.expert)},
                                                     {"parallel.expert_tensor", std::to_string(p.expert_tensor)},
                                                     {"parallel.zero", std::to_string(p.zero)},
                                                     {"parallel.order", std::string(name_of(p.order))},
                                                     {"parallel.schedule", std::string(name_of(p.schedule))},
                                                     {"training.micro_batch", std::to_string(t.micro_batch_size)},
                                                     {"training.recompute", std::string(name_of(t.recompute))}};
  std::vector<std::uint32_t> chosen;
  for (const Axis& axis : space_.axes()) {
    const auto known = std::find_if(std::begin(own), std::end(own), [&](const auto& one) { return one.first == axis.name; });
    const auto given = scenario_.keys.by_path.find(axis.name);
    if (known == std::end(own) && given == scenario_.keys.by_path.end()) return std::nullopt;
    const std::string today = known == std::end(own) ? given->second.value : known->second;
    const auto value =
        std::find_if(axis.values.begin(), axis.values.end(), [&](const AxisValue& one) { return one.text == today; });
    if (value == axis.values.end()) return std::nullopt;
    chosen.push_back(static_cast<std::uint32_t>(value - axis.values.begin()));
  }
  return space_.point(chosen);
}

}  // namespace railyard
