// How long a small message takes on the network of a run while nothing else is on it.
#pragma once

#include "sim/simulate.h"
#include "tools/compare/compare.h"

namespace railyard {

/// Payload of the message: what published latencies are of.
inline constexpr Bytes kSmallMessage = 64_B;

/// One way, application to application, host latency at both ends included. REQUIRES: the run has a fabric.
MessageLatency message_latency(const Run& run);

}  // namespace railyard
