// Collectives by the names that libraries and profilers give them.
#pragma once

#include <optional>
#include <string_view>

#include "trace/graph.h"

namespace railyard {

/// Of "AllReduce", "_allgather_base" or "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL": the collective it is; none if it names
/// none that is played.
std::optional<TraceCollective> collective_in_name(std::string_view name);

}  // namespace railyard
