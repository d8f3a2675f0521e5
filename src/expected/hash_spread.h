// How uneven links are that a hash deals flows to, if nothing is wrong.
#pragma once

#include <cstdint>

namespace railyard {

/// The busiest of `links` over the mean, with `flows` of one size dealt to them by a hash: what 19 of 20 clusters stay below.
/// REQUIRES: flows > 0 and links > 0.
[[nodiscard]] double hashed_spread(std::uint32_t flows, std::uint32_t links);

}  // namespace railyard
