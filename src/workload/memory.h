// What has to fit into a GPU.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "plan/workload_plan.h"

namespace railyard {

/// Parameters one rank of a stage holds, before ZeRO shards them.
struct HeldParameters {
  std::int64_t shared = 0;   // replicated over data (and context)
  std::int64_t experts = 0;  // replicated over expert data

  friend HeldParameters operator+(HeldParameters a, HeldParameters b) { return {a.shared + b.shared, a.experts + b.experts}; }
};

struct MemoryPlan {
  Bytes weights, gradients, optimizer, activations, buffers;
  std::uint32_t in_flight = 0;  // micro-batches whose activations are kept at once, at most, over all chunks

  [[nodiscard]] Bytes total() const { return weights + gradients + optimizer + activations + buffers; }
};

/// Over how many ranks ZeRO shards what is replicated.
struct Sharding {
  std::uint32_t zero = 0, shared = 1, experts = 1;
};

/// Everything but the activations. `layer` is what the largest block holds, gathered whole under ZeRO 3.
MemoryPlan state_memory(const HeldParameters& held, const HeldParameters& layer, const Sharding& sharding,
                        const TrainingSpec& training);

std::int64_t width_of(NumberFormat format);  // bytes of one number
Bytes bytes_of(std::int64_t parameters, NumberFormat format);

}  // namespace railyard
