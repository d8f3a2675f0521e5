// What every kind of run needs before it starts: ranks placed on a fabric, failures and routes found on it, an engine's
// options.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "fabric/failures.h"
#include "plan/scenario.h"
#include "sim/run.h"

namespace railyard {

/// A run that has its network and nothing else yet, with warnings about keys that have no effect.
struct PreparedRun {
  Run run;
  std::vector<PortChange> failures;
};

/// Places `ranks` ranks on `fabric`, gives optical circuits to those that need them, and finds failures and static routes
/// there. Refuses what the fabric does not have, packets that nothing delays, and buffers without room. REQUIRES: ranks <= the
/// fabric's endpoints.
Result<PreparedRun> prepare(const Scenario& scenario, Fabric fabric, std::uint32_t ranks);

/// How a transport cuts messages into packets.
[[nodiscard]] WireFormat wire_format(const TransportPlan& transport);

/// How the flow engine carries what `ranks` ranks send.
[[nodiscard]] FlowOptions flow_options(const Scenario& scenario, std::uint32_t ranks);

/// Threads to use: as asked, else as many as the machine has.
[[nodiscard]] unsigned threads_of(const RunOptions& options);

/// Gives optical circuits to the pods that the collective makes send most to each other, where the scenario asks for that: its
/// traffic between nodes, or between neighbours where every GPU is a node of its own.
void match_to_demand(const Scenario& scenario, const Placement& placement, Fabric& fabric);

}  // namespace railyard
