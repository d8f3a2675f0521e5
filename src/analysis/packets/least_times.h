// How long messages take at least, whatever settings do: what links of senders and receivers let through.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/run.h"

namespace railyard {

/// Completion times of a class's messages that arrived, in microseconds, in ascending order: the k-th of any run of the same
/// messages is no shorter than the k-th of these. Each needs its time alone; and of those that start together at one host's
/// link, in or out, the j-th is not over before the wire has carried the j smallest (docs/models.md, least completion times).
/// REQUIRES: a run of [traffic].
std::vector<double> least_times_us(const Run& run, std::uint8_t traffic_class);

}  // namespace railyard
