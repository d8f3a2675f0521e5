// Serving a model: prompts are read on some GPUs (prefill), and tokens written on others (decode), which get the caches of keys
// and values over the network.
#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"
#include "plan/choices.h"

namespace railyard {

/// As the user says it. Requests of one tensor group of prefill are read together, those of a GPU of decode written together.
struct ServingSpec {
  std::optional<std::uint32_t> prefill_gpus, decode_gpus;
  std::uint32_t prefill_tensor = 1, decode_tensor = 1;
  std::uint32_t prefill_expert = 1, decode_expert = 1;
  std::uint32_t redundant_experts = 0;          // copies of experts beside the model's own, on either side
  std::optional<std::uint32_t> prompt, output;  // tokens of one request
  std::optional<std::uint32_t> context;         // tokens a token sees while others are written, on average
  double prefix_cached = 0;                     // share of a prompt whose keys and values are there already
  std::uint32_t prefill_batch = 1;              // prompts of one pass of a tensor group
  std::optional<std::uint32_t> batch;           // requests of one GPU of decode
  std::optional<double> requests_per_second;    // of all GPUs together; instead of `batch`
  Precision precision = Precision::bf16;
  NumberFormat cache = NumberFormat::bf16;
  std::optional<NumberFormat> dispatch;  // fp8 where products are
  NumberFormat combine = NumberFormat::bf16;
  bool overlap = false;                    // two halves of a batch: one computes while the other communicates
  double routing_skew = 0;                 // Zipf exponent of the experts' popularity
  Picoseconds all_reduce_latency = 10_us;  // inside a scale-up domain
  double exchange_share = 1;               // of a NIC's rate that kernels of experts reach, from the catalog

  [[nodiscard]] std::uint32_t gpus() const { return prefill_gpus.value_or(0) + decode_gpus.value_or(0); }
  /// Tokens of a prompt that are read, and those that came before.
  [[nodiscard]] std::uint32_t prefix() const { return static_cast<std::uint32_t>(prompt.value_or(0) * prefix_cached); }
  /// Half of what is written is there on average.
  [[nodiscard]] std::uint32_t seen() const { return context.value_or(prompt.value_or(0) + output.value_or(0) / 2); }
};

enum class PassSide : std::uint8_t { prefill, decode };

/// One forward pass of one side, beside what the workload says of model, batch and parallelism.
struct PassPlan {
  PassSide side = PassSide::prefill;
  std::uint32_t cached = 0;  // tokens of a request whose keys and values are there before the pass
  NumberFormat cache = NumberFormat::bf16;
  bool overlap = false;
};

}  // namespace railyard
