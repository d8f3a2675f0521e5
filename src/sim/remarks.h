// What makes a question pointless: settings that were asked for and cannot matter where this job sits, and plans that hardly
// anybody means. Said before a run and with it, as notes and warnings; nothing is refused.
#pragma once

#include <span>

#include "base/diagnostic.h"
#include "fabric/failures.h"
#include "fabric/placement.h"
#include "plan/scenario.h"
#include "workload/step.h"

namespace railyard {

/// Of a run over a network. Only keys that the scenario gives are spoken of:
///   RY-RUN-070  nothing crosses a leaf, and keys are given of what lies above leaves
///   RY-RUN-071  tensor groups are larger than scale-up domains
///   RY-RUN-072  all ranks share one scale-up domain, and keys of the network are given
///   RY-RUN-073  a failure hits no NIC of the job
///   RY-RUN-074  leaves are so empty that the oversubscription that was asked for is not there
///   RY-RUN-075  messages are so small that latency decides, and keys of bandwidth are given
///   RY-RUN-076  routing spreads packets, and NICs recover by go-back-N: what that costs is not seen
///   RY-RUN-086  what links between sites have under way, which the engine does not see as headroom
///   RY-RUN-087  a window that is less than that
/// `step`: of a training step, else none. REQUIRES: a seat for every rank.
Diagnostics pointless(const Scenario& scenario, const Fabric& fabric, const Placement& placement,
                      std::span<const PortChange> failures, const Step* step);

}  // namespace railyard
