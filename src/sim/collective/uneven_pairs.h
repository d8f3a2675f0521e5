// What ranks of an all-to-all send to each other where some receive more than others.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"

namespace railyard {

/// Receivers' shares fall off like Zipf's; every rank sends the same to the same receiver. Row by row of senders, each `size`.
std::vector<Bytes> uneven_pairs(std::uint32_t ranks, Bytes size, double skew);

}  // namespace railyard
