#include "workload/memory.h"

namespace railyard {

namespace {

constexpr std::int64_t kWeight = 2, kMaster = 4;
constexpr Bytes kWorkspace = 1_GiB;  // context, communication buffers, library workspaces

std::int64_t share(std::int64_t whole, std::uint32_t ranks) { return (whole + ranks - 1) / ranks; }

}  // namespace

std::int64_t width_of(NumberFormat format) { return format == NumberFormat::fp32 ? 4 : format == NumberFormat::bf16 ? 2 : 1; }

Bytes bytes_of(std::int64_t parameters, NumberFormat format) { return Bytes(parameters * width_of(format)); }

MemoryPlan state_memory(const HeldParameters& held, const HeldParameters& layer, const Sharding& sharding,
                        const TrainingSpec& training) {
  const auto sharded_from = [&](std::uint32_t stage) {
    return sharding.zero >= stage ? share(held.shared, sharding.shared) + share(held.experts, sharding.experts)
                                  : held.shared + held.experts;
  };
  MemoryPlan plan;
  plan.weights = Bytes(sharded_from(3) * kWeight);
  plan.gradients = bytes_of(sharded_from(2), training.gradients);
  plan.optimizer = Bytes(sharded_from(1) * kMaster) + bytes_of(sharded_from(1) * 2, training.moments);
  plan.buffers = kWorkspace;
  // Two blocks at once: the one that computes and the one that is fetched; gradients of one.
  if (sharding.zero >= 3)
    plan.buffers +=
        Bytes((layer.shared + layer.experts) * 2 * kWeight) + bytes_of(layer.shared + layer.experts, training.gradients);
  else if (sharding.zero == 2)
    plan.buffers += bytes_of(layer.shared + layer.experts, training.gradients);
  return plan;
}

}  // namespace railyard
