// Sending tokens to experts and back with kernels made for it (DeepEP): how long it takes, and the bandwidth such kernels
// report of themselves, which counts bytes that never leave the node (docs/models.md, exchange of experts).
#pragma once

#include <cstdint>

#include "base/units.h"
#include "catalog/facts.h"

namespace railyard {

/// Dispatch carries tokens to their experts, combine carries the results back.
enum class ExchangePhase : std::uint8_t { dispatch, combine };

/// What one GPU exchanges. Ranks are spread evenly over nodes of `per_node`.
struct ExpertExchange {
  std::uint32_t ranks = 0, per_node = 8;
  std::uint32_t tokens = 0;  // of one GPU
  std::uint32_t hidden = 0, top_k = 0;
  double nodes_visited = 0, ranks_visited = 0;  // distinct ones per token, its own among them; see `distinct`
  bool fp8_dispatch = true;                     // a byte per value and four per 128; otherwise bf16, as combine always is
  double link = 0;                              // bytes per second of payload one GPU sends through scale-up links at most
  double nic = 0;                               // the same through its NIC
  ExchangeFact kernels;                         // what they make of either
};

/// What sets the time: the links inside a node, the NIC, or what even an empty exchange takes.
enum class ExchangeLimit : std::uint8_t { scale_up, network, latency };

struct ExchangeEstimate {
  Picoseconds time;
  double reported = 0;                           // bytes per second, as the kernels' own tests count
  double network_bytes = 0, scale_up_bytes = 0;  // that one GPU sends through its NIC and its links
  ExchangeLimit limit = ExchangeLimit::scale_up;
};

/// Kernels for training and prefill: one copy of a token per node over the network to the GPU of the same index, which passes
/// it on inside the node. REQUIRES: ranks is a multiple of per_node, or at most that; rates and visits > 0.
ExchangeEstimate normal_exchange(ExchangePhase phase, const ExpertExchange& exchange);

/// Kernels for decoding: every copy goes straight to its expert's GPU. REQUIRES as above; visits are not used.
ExchangeEstimate low_latency_exchange(ExchangePhase phase, const ExpertExchange& exchange);

/// Distinct parts a token visits on average, when its `top_k` experts are any of `experts`, dealt evenly over `parts`.
/// With routing limited to some groups, ask for the experts and parts of that many groups. REQUIRES: parts divides experts.
double distinct(std::uint32_t experts, std::uint32_t parts, std::uint32_t top_k);

}  // namespace railyard
