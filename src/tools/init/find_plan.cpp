#include "tools/init/find_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/quantity_text.h"
#include "plan/split_layers.h"
#include "sim/simulate.h"
#include "sim/supported.h"
#include "workload/step.h"

namespace railyard {

namespace {

/// What the model and the GPU of the answers are.
struct Known {
  std::uint32_t layers = 0, sequence = 0, experts = 0, domain = 1;
  double parameters = 0;  // 0 if nobody published them
  Bytes room;
};

Known known_of(const InitAnswers& a, const Catalog& catalog) {
  const Entry<ModelFact>* const model = catalog.models.find(*a.model);
  const Entry<GpuFact>* const gpu = catalog.gpus.find(*a.gpu);
  RY_CHECK(model && gpu, "answers are in the catalog");
  return {model->fact.layers.value_or(1), model->fact.sequence.value_or(4096), model->fact.experts.value_or(0),
          gpu->fact.scale_up_domain,      model->fact.parameters.value_or(0),  gpu->fact.memory};
}

/// About 16 million tokens, at most 16 sequences of a replica; never so few that a pipeline stands empty.
std::uint32_t global_batch_of(const InitAnswers& a, const SplitAnswer& s, std::uint32_t sequence) {
  constexpr std::uint64_t kTokens = 1 << 24, kMost = 16, kPerStage = 4;
  const std::uint64_t replicas = *a.gpus / (s.tensor * s.context * s.pipeline);
  const std::uint64_t usual = std::min(kMost, std::max<std::uint64_t>(1, kTokens / (replicas * sequence)));
  const std::uint64_t each = std::max(usual, s.pipeline == 1 ? 1 : kPerStage * s.pipeline);
  return static_cast<std::uint32_t>(each * replicas);
}

/// Layers of each stage where they do not go in evenly: the ends, which hold embedding and head, get less. Empty where the
/// program splits them itself, or where there are fewer than stages.
std::vector<std::uint32_t> stage_layers_of(std::uint32_t layers, std::uint32_t stages) {
  if (!split_layers(layers, stages, {}).empty() || stages > layers) return {};
  std::vector<std::uint32_t> out(stages, layers / stages);
  for (std::uint32_t i = 0; i < layers % stages; i++) out[1 + i]++;
  return out;
}

TrainingPlan plan_for(const InitAnswers& a, const Known& known, const SplitAnswer& split, Recompute recompute) {
  return {split, recompute, global_batch_of(a, split, known.sequence), stage_layers_of(known.layers, split.pipeline), {}};
}

/// Memory is told in GiB throughout: sizes that are round in GB would not compare.
std::string memory_text(Bytes size) {
  constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
  return fmt::format("{:.4g} GiB", static_cast<double>(size.count()) / kGiB);
}

/// Weights and gradients of a GPU at the very least: no stage of a split holds less on average.
Bytes least_memory(const Known& known, const SplitAnswer& s) {
  constexpr double kBytes = 2 + 4;  // bf16 weights, fp32 gradients
  return Bytes(static_cast<std::int64_t>(kBytes * known.parameters / s.tensor / s.pipeline / s.expert));
}

/// A plan that was tried: what is wrong with it, or what its fullest GPU holds.
struct Tried {
  Diagnostics errors;
  bool is_warned_of = false;
  Bytes memory, room;
};

Tried try_plan(const InitAnswers& a, const TrainingPlan& plan, const Catalog& catalog) {
  Tried out;
  const Result<Scenario> scenario = read_text_of_init(scenario_text(a, plan, catalog), catalog);
  if (!scenario) return {scenario.error(), false, {}, {}};
  const Result<Step> step = build_step(scenario->workload, scenario->keys);
  if (!step) return {step.error(), false, {}, {}};
  out.is_warned_of = !warnings_for(*scenario, *step).empty();
  out.errors = remarks_on(*scenario).errors;
  for (const StageWork& stage : step->stages) out.memory = std::max(out.memory, stage.memory.total());
  out.room = scenario->workload.gpu->gpu.memory;
  return out;
}

std::string split_words(const SplitAnswer& s) {
  std::string text = fmt::format("tensor {}, pipeline {}", s.tensor, s.pipeline);
  if (s.context > 1) text += fmt::format(", context {}", s.context);
  if (s.expert > 1) text += fmt::format(", expert {}", s.expert);
  return text;
}

/// Powers of two up to `most`.
std::vector<std::uint32_t> powers(std::uint32_t most) {
  std::vector<std::uint32_t> out;
  for (std::uint64_t value = 1; value <= most; value *= 2) out.push_back(static_cast<std::uint32_t>(value));
  return out;
}

/// Stages that fill what is left of the GPUs, fewest first.
std::vector<std::uint32_t> divisors(std::uint32_t of, std::uint32_t most) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 1; i <= std::min(of, most); i++)
    if (of % i == 0) out.push_back(i);
  return out;
}

/// Every split that is worth trying, in the order that find_plan promises.
std::vector<SplitAnswer> splits_to_try(const InitAnswers& a, const Known& known) {
  constexpr std::uint32_t kMostContext = 8, kMostStages = 64;
  std::vector<SplitAnswer> out;
  // Groups that do not divide a domain straddle some: experts may, where nothing else fits.
  for (const std::uint32_t context : powers(kMostContext))
    for (const bool beyond : {false, true}) {
      if (beyond && known.experts == 0) continue;
      for (const std::uint32_t pipeline : divisors(*a.gpus, std::min(known.layers, kMostStages)))
        for (const std::uint32_t tensor : powers(known.domain)) {
          const std::uint64_t replica = std::uint64_t{tensor} * context * pipeline;
          if (*a.gpus % replica != 0 || known.domain % tensor != 0) continue;
          for (const std::uint32_t expert : powers(std::max(known.experts, 1U)))
            if (known.experts == 0 || (known.experts % expert == 0 && (known.domain % expert != 0) == beyond))
              out.push_back({tensor, context, pipeline, expert, 1});
        }
    }
  return out;
}

/// The comment of a plan that was found; `before` is the last one that did not fit, if any.
std::vector<std::string> remarks_of(const SplitAnswer& found, const Tried& tried, const std::string& before) {
  std::vector<std::string> out = {fmt::format(
      "Found by railyard init: what splits the model least and fits. Fewest pipeline stages first, then the smallest tensor "
      "group inside a scale-up domain{}. The fullest GPU holds {} of {}.",
      found.expert > 1 ? ", then the fewest expert ranks" : "", memory_text(tried.memory), memory_text(tried.room))};
  if (!before.empty()) out.push_back(before);
  return out;
}

Diagnostic nothing_fits(const InitAnswers& a, const std::string& last) {
  return {Severity::error,
          "RY-INI-001",
          fmt::format("no plan for {} fits into {} GPUs of the kind {}{}", *a.model, format_count(*a.gpus), *a.gpu,
                      last.empty() ? std::string() : ": w" + last.substr(1, last.size() - 2)),
          "use more GPUs, GPUs with more memory or a smaller model",
          {}};
}

}  // namespace

Result<TrainingPlan> plan_of_split(const InitAnswers& answers, const Catalog& catalog) {
  const Known known = known_of(answers, catalog);
  Diagnostics errors;
  for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
    TrainingPlan plan = plan_for(answers, known, answers.split, recompute);
    Tried tried = try_plan(answers, plan, catalog);
    if (tried.errors.empty()) {
      plan.remarks.push_back(
          fmt::format("As asked for. The fullest GPU holds {} of {}.", memory_text(tried.memory), memory_text(tried.room)));
      return plan;
    }
    errors = std::move(tried.errors);
    if (errors.front().code != "RY-MEM-001") break;
  }
  return errors;
}

Result<TrainingPlan> find_plan(const InitAnswers& answers, const Catalog& catalog) {
  const Known known = known_of(answers, catalog);
  std::optional<TrainingPlan> warned_of;
  std::string before;
  for (const Recompute recompute : {Recompute::selective, Recompute::full})
    for (const SplitAnswer& split : splits_to_try(answers, known)) {
      if (const Bytes least = least_memory(known, split); least > known.room) {
        before = fmt::format("With {}, weights and gradients alone need {}.", split_words(split), memory_text(least));
        continue;
      }
      TrainingPlan plan = plan_for(answers, known, split, recompute);
      const Tried tried = try_plan(answers, plan, catalog);
      if (!tried.errors.empty()) {
        const std::string& message = tried.errors.front().message;
        if (tried.errors.front().code == "RY-MEM-001")
          before = fmt::format("With {}, {}.", split_words(split), message.substr(0, message.find(" (")));
        continue;
      }
      plan.remarks = remarks_of(split, tried, before);
      if (!tried.is_warned_of) return plan;
      if (!warned_of) warned_of = std::move(plan);
    }
  if (warned_of) return *warned_of;
  return nothing_fits(answers, before);
}

}  // namespace railyard
