// What NICs of single hosts do about congestion.
#pragma once

#include <vector>

#include "base/complaints.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"
#include "scenario/resolve/estate_policies.h"

namespace railyard {

/// Hosts of a server, as the fabric counts them: one for each of its GPUs.
[[nodiscard]] std::vector<std::uint32_t> hosts_of_server(std::uint32_t server, const FabricPlan& fabric);

/// Fills in PacketPlan::dcqcn_sets and QosPlan::own_dcqcn: what configurations of hosts say, then what [qos.devices] does. What
/// most of the hosts have whose configuration was read becomes PacketPlan::dcqcn.
void resolve_host_dcqcn(const ScenarioSpec& spec, const EstatePolicies& read, Scenario& out, Complaints& complaints);

}  // namespace railyard
