// What the set-up of servers takes from a communicator: NICs that are not used, ways that are narrow, helpers that are off.
#pragma once

#include "collective/library.h"
#include "plan/workload_plan.h"

namespace railyard {

/// Lowers rates and adds latency; nothing gets faster. `host` is what the scenario says (docs/models.md, how servers are set
/// up).
void limit_by_host(const HostSpec& host, Communicator& group);

}  // namespace railyard
