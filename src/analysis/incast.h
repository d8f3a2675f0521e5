// How many send to one receiver at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/wire_traffic.h"

namespace railyard {

struct Incast {
  struct Degree {
    std::uint32_t senders = 0;
    std::uint64_t receivers = 0;  // that have as many at most
    double bytes = 0;             // that came in from as many at once
  };
  std::uint32_t max = 0;
  double mean = 0;  // by bytes
  std::uint64_t receivers = 0;
  std::vector<Degree> degrees;  // within one call
  /// Of calls that overlap, senders counted in each of them; none where receivers differ too much.
  struct Overlapping {
    std::uint32_t max = 0;
    double mean = 0;  // of the mean receiver, while anything comes in
  };
  std::optional<Overlapping> overlapping;
};

std::optional<Incast> incast_of(std::span<const Bundle> bundles, const WireTraffic& traffic);

}  // namespace railyard
