// How many send to one receiver at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/patterns/wire_traffic.h"

namespace railyard {

struct Incast {
  struct Degree {
    std::uint32_t senders = 0;
    std::uint64_t receivers = 0;  // that have as many at most
    double bytes = 0;             // that came in from as many at once
  };
  std::string what;  // is counted
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

/// Of calls with several edges each: within one of them, and over those that overlap.
std::optional<Incast> incast_of(std::span<const Bundle> bundles, const WireTraffic& traffic);

/// Where every call is a message by itself: over all that are under way at a time. A message comes in evenly from its start,
/// or from the end of the one before it of its connection, to its delivery.
std::optional<Incast> incast_of_messages(std::span<const Bundle> bundles, const WireTraffic& traffic);

}  // namespace railyard
