// Failures of a scenario as what happens to the ports of its fabric.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "fabric/fabric.h"
#include "plan/failure.h"

namespace railyard {

/// From `at` on a port has this rate; none is down.
struct RateChange {
  PortId port;
  BitsPerSecond rate;
  Picoseconds at;

  friend bool operator==(const RateChange&, const RateChange&) = default;
};

/// Every change of every port, by time, then port. Both directions of a link fail together; where failures overlap, the lowest
/// rate holds; what is mended has its own rate again. Refuses what the fabric does not have, and rates that slow nothing.
Result<std::vector<RateChange>> rate_changes(std::span<const Failure> failures, const Fabric& fabric);

}  // namespace railyard
