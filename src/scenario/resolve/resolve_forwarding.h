// What configurations say of hash and MTU, which matter to runs without packets, too.
#pragma once

#include <map>

#include "base/complaints.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Takes hash functions, fields and seeds of switches into RoutingPlan, and the MTU of NICs into TransportPlan: the largest for
/// packets, where connections agree on theirs, and the smallest for others. Keys of the scenario come before files. Complains
/// of ports of switches that take no such packets. REQUIRES: transport and routing are resolved.
void resolve_forwarding(const ScenarioSpec& spec, Scenario& out, Complaints& complaints);

/// The MTU that a host's NIC has by its configuration, unless the scenario gives one for all.
struct HostMtu {
  Bytes mtu;
  SourceSpan where;
};
[[nodiscard]] std::map<std::uint32_t, HostMtu> host_mtus(const ScenarioSpec& spec, const Scenario& out);

/// The RDMA MTU that fits into frames of an interface, as Linux chooses it; none below 256.
[[nodiscard]] std::optional<Bytes> rdma_mtu_of(Bytes frame);

}  // namespace railyard
