#include "tools/goodput/checkpoint.h"

#include <algorithm>

#include "workload/memory.h"
#include "workload/transformer.h"

namespace railyard {

namespace {

constexpr double kWeightBytes = 2, kMasterBytes = 4;

double bytes_per_second(BitsPerSecond rate) { return static_cast<double>(rate.count()) / 8; }
double number(Bytes size) { return static_cast<double>(size.count()); }

/// Bytes per second that the training network leaves each GPU on the way to its top, where storage is taken to be.
double training_network_rate(const Scenario& scenario, const StepRun& step) {
  double rate = bytes_per_second(scenario.workload.gpu->scale_out_rate);
  for (const double tier : {step.tier_rates.nic, step.tier_rates.leaf_up, step.tier_rates.pod_up})
    if (tier > 0) rate = std::min(rate, tier);
  return rate;
}

/// The longer of two ways to move the same bytes, and which it is.
double slower(double host, double storage, const std::string& network, std::string& limit) {
  limit = storage > host ? "storage" : network;
  return std::max(host, storage);
}

}  // namespace

CheckpointCost checkpoint_cost(const Scenario& scenario, const Run& run) {
  const ReliabilityPlan& plan = *scenario.reliability;
  const StepRun& step = *run.training;
  const TrainingSpec& training = scenario.workload.training;
  const double gpus = step.step.layout.ranks(), per_node = scenario.fabric.per_node, hosts = gpus / per_node;
  CheckpointCost cost;
  cost.state = static_cast<double>(total_parameters(step.step.model)) *
               (kWeightBytes + kMasterBytes + 2.0 * static_cast<double>(width_of(training.moments)));
  cost.host_write = cost.state / hosts;
  for (const StageWork& stage : step.step.stages)
    cost.host_read = std::max(cost.host_read, per_node * number(stage.memory.weights + stage.memory.optimizer));
  const bool in_memory = plan.checkpoint == CheckpointPlace::memory, frontend = plan.frontend_rate && !in_memory;
  cost.host_rate = frontend ? bytes_per_second(*plan.frontend_rate) : training_network_rate(scenario, step) * per_node;
  cost.network = frontend ? "the front-end network" : "the training network";
  cost.storage_rate = plan.storage_rate && !in_memory ? bytes_per_second(*plan.storage_rate) : 0;
  const auto through_storage = [&](double bytes) { return cost.storage_rate > 0 ? bytes / cost.storage_rate : 0; };
  cost.write = slower(cost.host_write / cost.host_rate, through_storage(cost.state), cost.network, cost.write_limit);
  cost.read = slower(cost.host_read / cost.host_rate, through_storage(cost.host_read * hosts), cost.network, cost.read_limit);
  if (plan.checkpoint_write) cost.write = seconds(*plan.checkpoint_write), cost.write_limit = "given";
  if (plan.checkpoint_read) cost.read = seconds(*plan.checkpoint_read), cost.read_limit = "given";
  cost.snapshot = cost.state / gpus / bytes_per_second(plan.snapshot_rate);
  cost.stall = plan.checkpoint_async ? cost.snapshot : cost.write;
  cost.lag = plan.checkpoint_async ? cost.write : 0;
  return cost;
}

}  // namespace railyard
