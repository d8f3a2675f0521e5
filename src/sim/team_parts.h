// Parts of a run whose packets several processes may play: as the functions of these names, with the team, or none.
#pragma once

#include "base/team_post.h"
#include "sim/step/packet_step.h"
#include "sim/traffic/traffic_run.h"

namespace railyard {

/// See sim/step/packet_step.h.
Result<StepRun> play_packets(const Scenario& scenario, const Step& step, const std::vector<PortChange>& failures,
                             const RunOptions& options, const StepRun& over_flows, const Jitter* jitter, Run& run,
                             Progress& progress, TeamPost* team);

/// See sim/traffic/traffic_run.h.
Result<TrafficRun> run_traffic(const Scenario& scenario, const Network& network, const Placement& placement, Bytes memory,
                               Progress& progress, TeamPost* team);

}  // namespace railyard
