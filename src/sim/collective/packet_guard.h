// Collectives that are too much for an engine, in time or memory: refused before they start.
#pragma once

#include "collective/schedule.h"
#include "sim/collective/collective_run.h"

namespace railyard {

/// An error if playing `schedule` packet by packet takes hours or needs more memory than the group may use.
/// REQUIRES: the group's network is simulated packet by packet.
Diagnostics too_much_to_play(const CollectiveGroup& group, const Schedule& schedule, const SeatedGroup& seats);

/// What the analytic or the flow engine needs at most for a schedule and all others of the sweep; zero with packets.
Bytes played_memory(const CollectiveGroup& group, const Schedule& schedule);

/// An error if a collective in which everybody sends to everybody is sure to need more than `memory`: its schedule alone, which
/// is not made yet, would not fit.
Diagnostics too_many_to_play(const Scenario& scenario, const Fabric& fabric, std::uint32_t ranks, Bytes memory);

/// What a library's probes of the network between nodes need at most; zero on one node and without a library.
Bytes measured_memory(const Scenario& scenario, const Network& network, const Placement& placement);

/// An error if what make_group() measures takes hours packet by packet, or needs more than `memory`.
Diagnostics too_much_to_measure(const Scenario& scenario, const Network& network, const Placement& placement, Bytes memory);

}  // namespace railyard
