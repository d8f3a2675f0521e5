// Where traffic over time is looked at: the NIC and the leaf uplink that carried most, and all NICs together.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/patterns/wire_traffic.h"

namespace railyard {

struct ObservedPoint {
  std::string where, name;  // "NIC", "GPU 12 to leaf 1"
  double capacity_bps = 0;
  std::vector<double> share = {};  // by flow: what crosses the place over what the busiest edge carries
};

/// Of a tier: the port that carried most, or the trunk where equal paths share perfectly. Ties: the lowest id. None where
/// nothing was carried.
std::optional<Telemetry::Busiest> busiest_link(const Fabric& fabric, const Telemetry& telemetry, Tier tier);

/// A NIC is what its GPUs send; an uplink what crosses it on the paths that edges take: the ports their hashes pick, or equal
/// parts of a trunk. Without telemetry, or where paths change (`fixed_paths` is false), there is no uplink.
std::vector<ObservedPoint> observed_points(const Fabric& fabric, const PathPolicy& routing, const Telemetry* telemetry,
                                           std::span<const Bundle> bundles, const WireTraffic& traffic, bool fixed_paths);

}  // namespace railyard
