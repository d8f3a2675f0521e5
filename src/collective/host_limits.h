// What the set-up of servers takes from a communicator: NICs that are not used, ways that are narrow, helpers that are off.
#pragma once

#include "collective/library.h"
#include "plan/workload_plan.h"

namespace railyard {

/// What a server of the communicator is. A node is a scale-up domain: one server, several, or a part of one.
struct ServerShape {
  std::uint32_t nics = 1;
  double per_node = 1;  // servers
};

/// Lowers rates and adds latency; nothing gets faster. `host` is what the scenario says (docs/models.md, how servers are set
/// up).
void limit_by_host(const HostSpec& host, const ServerShape& server, Communicator& group);

}  // namespace railyard
