// Training steps of random plans: they are refused with a reason or keep to arithmetic, and repeat themselves.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fmt/format.h>

#include "scenario/load.h"
#include "sim/simulate.h"

namespace railyard {
namespace {

std::uint32_t power_of_two(int most) { return 1U << *rc::gen::inRange(0, most + 1); }

template<class... T>
std::string one_of(T... words) {
  return *rc::gen::element(std::string(words)...);
}

/// A small model under any plan; many of them do not go together.
std::string random_plan() {
  const std::uint32_t tensor = power_of_two(3), context = power_of_two(1), pipeline = power_of_two(3), data = power_of_two(4);
  const bool experts = *rc::gen::arbitrary<bool>();
  std::string text = "name = \"random\"\n[model]\nlayers = 16\nhidden = 1024\nheads = 16\nkv_heads = 4\nffn = 4096\n";
  text += fmt::format("vocabulary = 32000\nsequence = {}\n", 512U << *rc::gen::inRange(0, 4));
  if (experts) text += "experts = 16\nexperts_per_token = 2\nexpert_ffn = 1024\nshared_experts = 1\ndense_layers = 1\n";
  text += fmt::format("[cluster]\ngpu = \"{}\"\ngpus_per_node = 1\ngpus = {}\n",
                      one_of("A100-SXM-80", "H100-SXM-80", "GB200", "MI300X"), tensor * context * pipeline * data);
  text += fmt::format("[training]\nglobal_batch = {}\nrecompute = \"{}\"\nattention = \"{}\"\n", data * power_of_two(6),
                      one_of("none", "selective", "full"), one_of("fused", "portable", "unfused"));
  if (experts) text += fmt::format("routing_skew = {}\n", *rc::gen::inRange(0, 3) * 0.5);
  text += fmt::format("[parallel]\ntensor = {}\ncontext = {}\npipeline = {}\nzero = {}\n", tensor, context, pipeline,
                      *rc::gen::inRange(0, 4));
  text += fmt::format("expert = {}\nschedule = \"{}\"\n", experts ? power_of_two(4) : 1,
                      one_of("gpipe", "1f1b", "zero-bubble", "dualpipe"));
  text += fmt::format("tensor_overlap = \"{}\"\ndata_overlap = {}\npipeline_overlap = {}\norder = \"{}\"\n",
                      one_of("none", "backward", "full"), one_of("true", "false"), one_of("true", "false"),
                      one_of("tp-cp-dp-pp", "tp-cp-pp-dp"));
  return text;
}

RC_GTEST_PROP(Step, of_any_plan_is_refused_with_a_reason_or_keeps_to_arithmetic, ()) {
  const std::string text = random_plan();
  const auto read = [&](const std::filesystem::path&) -> Result<std::string> { return text; };
  const Result<Scenario> scenario = load_scenario("random.toml", builtin_catalog(), {}, read);
  if (!scenario) {
    for (const Diagnostic& d : scenario.error()) RC_ASSERT(!d.hint.empty());
    return;
  }
  Progress progress;
  const Result<Run> run = simulate(*scenario, {.threads = 1}, progress);
  if (!run) {
    RC_ASSERT(run.error().front().code == "RY-MEM-001");
    return;
  }
  const StepRun& step = *run->training;
  const double flops = static_cast<double>(step.step.tokens) * (step.step.flops.products + step.step.flops.attention_causal);
  const double peak = static_cast<double>(scenario->workload.gpu->gpu.bf16_dense.count());
  RC_ASSERT(seconds(step.time) >= flops / step.step.layout.ranks() / peak);
  RC_ASSERT(step.step.hardware_flops >= 0.999 * flops);
  for (const StageTime& stage : step.stages) {
    Picoseconds sum = stage.compute + stage.contention + stage.optimizer + stage.host + stage.bubble;
    for (const Picoseconds exposed : stage.exposed) sum += exposed;
    RC_ASSERT(sum == step.time);
    RC_ASSERT(stage.bubble >= Picoseconds::zero());
  }
  const Result<Run> again = simulate(*scenario, {.threads = 1}, progress);
  RC_ASSERT(again->fingerprint == run->fingerprint);
}

}  // namespace
}  // namespace railyard
