// Failures of a scenario as what happens to the ports of its fabric.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "fabric/fabric.h"
#include "plan/failure.h"

namespace railyard {

/// From `at` on a port has this rate, none is down, and loses what it sends.
struct PortChange {
  PortId port;
  BitsPerSecond rate;
  Picoseconds at;
  PacketLoss loss = {};

  friend bool operator==(const PortChange&, const PortChange&) = default;
};

/// Every change of every port, by time, then port. Both directions of a link fail together unless one is named; where failures
/// overlap, the lowest rate and the largest losses hold; what is mended has its own rate again. Refuses what the fabric does
/// not have, and rates that slow nothing.
Result<std::vector<PortChange>> port_changes(std::span<const Failure> failures, const Fabric& fabric);

}  // namespace railyard
