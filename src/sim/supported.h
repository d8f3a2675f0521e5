// What can be said of a scenario before it is run: what no engine does yet, what would leave the range of
// time, which keys have no effect. What shows only as a run goes on (a loop, a group that does not fit) is refused there.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "fabric/fabric.h"
#include "fabric/placement.h"
#include "plan/scenario.h"
#include "workload/step.h"

namespace railyard {

/// Packets are simulated node by node as far as nothing reaches another node: an error if that is no time at all.
Diagnostics no_lookahead(const Scenario& scenario, const Fabric& fabric);

/// An error if [qos.devices] names what the fabric does not have.
Diagnostics no_such_devices(const Scenario& scenario, const Fabric& fabric);

/// An error if cells of a scheduled fabric could wait above leaves, where credits do not see them.
Diagnostics no_room_for_cells(const Scenario& scenario, const Fabric& fabric);

/// An error if ports of a switch set aside all of its buffer, or leave less than a fixed threshold needs.
Diagnostics no_shared_buffer(const Scenario& scenario, const Fabric& fabric);

/// One error per thing asked for that is not built; empty if the scenario can be run.
Diagnostics unsupported(const Scenario& scenario);

/// An error if simulated time or bytes could leave the range of their types: absurdly large buffers on absurdly slow links.
Diagnostics too_long(const Scenario& scenario, const Fabric& fabric);

/// The same for a training step's communication.
Diagnostics too_long(const Scenario& scenario, const Step& step);

/// Warnings about keys that were given but have no effect in this run (scenario/effects.h) or on this fabric.
Diagnostics without_effect(const Scenario& scenario, const Fabric& fabric);

/// Warnings about plans that run and are hardly meant: a pipeline that is never full, groups that lie unevenly on domains,
/// memory that is all but full.
Diagnostics warnings_for(const Scenario& scenario, const Step& step);

/// A warning for kinds of groups that are meant to stay inside scale-up domains and do not, where ranks sit.
Diagnostics warnings_for(const Scenario& scenario, const Step& step, const Fabric& fabric, const Placement& placement);

/// Warnings about collectives that run and are hardly meant: ranks that lie unevenly on nodes for a library, reduction in
/// switches that have none.
Diagnostics warnings_for(const Scenario& scenario, const std::vector<std::vector<EndpointId>>& nodes);

}  // namespace railyard
