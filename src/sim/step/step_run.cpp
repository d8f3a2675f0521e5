#include "sim/step/step_run.h"

#include <algorithm>
#include <cmath>

#include "base/fingerprint.h"
#include "sim/step/step_player.h"

namespace railyard {

namespace {

/// The model's arithmetic, shared by all GPUs at the highest rate any of their formats has.
double fastest(const Scenario& scenario, const Step& step) {
  const GpuPlan& plan = *scenario.workload.gpu;
  const FlopsPerSecond peak = std::max(
      {plan.gpu.bf16_dense, plan.gpu.fp8_dense.value_or(FlopsPerSecond(0)), plan.speed.gemm_fp4.value_or(FlopsPerSecond(0))});
  const double flops = static_cast<double>(step.tokens) * (step.flops.products + step.flops.attention_causal);
  return flops / step.layout.ranks() / static_cast<double>(peak.count());
}

StepRun run_over(const Scenario& scenario, const Step& step, const ClusterLinks& links, const Jitter* jitter) {
  Progress ignored;
  Result<StepRun> run = StepPlayer(scenario, step, links, nullptr, jitter, ignored).play();
  RY_CHECK(run.has_value(), "closed forms never get stuck");
  finish_step(scenario, step, *run);
  return std::move(*run);
}

}  // namespace

void finish_step(const Scenario& scenario, const Step& step, StepRun& run) {
  run.step = step;
  run.time += scenario.workload.training.host_overhead;
  RY_CHECK(seconds(run.time) >= fastest(scenario, step),
           "no step beats the arithmetic of its model at the peak rate of its GPUs");
  Fingerprint fingerprint;
  for (std::uint32_t stage = 0; stage < run.stages.size(); stage++) {
    StageTime& time = run.stages[stage];
    time.host += scenario.workload.training.host_overhead;
    const Picoseconds busy = time.compute + time.contention + time.optimizer + time.host + sum_of(time.exposed);
    RY_CHECK(busy <= run.time, "a stage is not busy for longer than the step");
    time.bubble = run.time - busy;
    for (const PassTime& pass : run.passes[stage]) fingerprint.add(static_cast<std::uint64_t>(pass.end.count()));
  }
  fingerprint.add(static_cast<std::uint64_t>(run.time.count()));
  run.fingerprint = fingerprint.text();
  run.fingerprint_value = fingerprint.value();
}

StepRun run_step(const Scenario& scenario, const Step& step, const Jitter* jitter) {
  return run_over(scenario, step, links_of(*scenario.workload.gpu), jitter);
}

StepWithoutLinks run_without_links(const Scenario& scenario, const Step& step) {
  const ClusterLinks links = links_of(*scenario.workload.gpu);
  StepWithoutLinks free;
  {
    StepRun scale_up = run_over(scenario, step, without_network(links), nullptr);
    free.without_network = scale_up.time, free.stages_without_network = std::move(scale_up.stages);
  }
  StepRun none = run_over(scenario, step, without_scale_up(without_network(links)), nullptr);
  free.time = none.time, free.stages = std::move(none.stages);
  return free;
}

Result<StepRun> run_step(const Scenario& scenario, const Step& step, const StepNetwork& network, Progress& progress) {
  Result<StepRun> run = StepPlayer(scenario, step, links_of(*scenario.workload.gpu), &network, network.jitter, progress).play();
  if (run) finish_step(scenario, step, *run);
  return run;
}

}  // namespace railyard
