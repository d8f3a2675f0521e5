// Failures of a training step, as a slice of it meets them.
#pragma once

#include <span>
#include <vector>

#include "base/units.h"
#include "engine/engine.h"
#include "fabric/failures.h"
#include "fabric/live.h"
#include "plan/packet_plan.h"

namespace railyard {

/// `changes` of a step, by time, in a window of it that begins at zero: what ports are when it begins, then what changes in it.
/// What failed `convergence` or more before has been routed around; what failed later fails as the window begins.
std::vector<PortChange> changes_within(const Fabric& fabric, std::span<const PortChange> changes, Picoseconds from,
                                       Picoseconds to, Picoseconds convergence);

/// The same of hosts that fail.
std::vector<HostFault> faults_within(std::span<const HostFault> faults, Picoseconds from, Picoseconds to);

/// The ports that are live when a window begins.
LivePorts live_at(const Fabric& fabric, NextHopWeights weights, std::span<const PortChange> changes, Picoseconds from);

/// Whether any of `changes` is at a port that one of the queue pairs could be sent over, or one of `faults` at an end of one.
bool reach_lines(const Fabric& fabric, std::span<const PortChange> changes, std::span<const HostFault> faults,
                 std::span<const QueuePair> lines);

}  // namespace railyard
