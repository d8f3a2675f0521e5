// How hard the tiers of a fabric worked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// All trunks of one tier.
struct TierLoad {
  Tier tier = Tier::host_up;
  std::string name;  // "leaf to spine"
  std::uint32_t trunks = 0, ports = 0;
  BitsPerSecond trunk_rate;
  Bytes carried;                // by all of them, on the wire
  double mean_utilisation = 0;  // over the whole time
  double peak_utilisation = 0;  // of the busiest trunk or link, over the whole time
};

/// Over a run of `time`. Scale-up tiers that carried nothing are left out: whoever uses them in closed form does not show
/// there.
std::vector<TierLoad> tier_loads(const Fabric& fabric, const Telemetry& telemetry, Picoseconds time);

/// Rails that GPUs have NICs on; those of the server itself are none of them. 1 where servers have no rails.
std::uint32_t rails_of_gpus(const Fabric& fabric);

/// What NICs of one rail sent. One entry where servers have no rails.
struct RailLoad {
  std::uint32_t rail = 0;
  Bytes sent;
  double mean_utilisation = 0, peak_utilisation = 0;  // of its NICs, over the whole time
};
std::vector<RailLoad> rail_loads(const Fabric& fabric, const Telemetry& telemetry, Picoseconds time);
/// The same, with shares of what ports had sent by then: packets go on after the time that counts.
std::vector<RailLoad> rail_loads(const Fabric& fabric, const Telemetry& telemetry, Picoseconds time,
                                 const Table<PortId, double>& sent);

/// "leaf 3", "GPU 12"; or what a drawing calls it.
std::string end_name(const Fabric& fabric, NodeId node);

/// "leaf 3 to spine 7".
std::string port_name(const Fabric& fabric, PortId port);  // and which link, where there are several
/// The same of all ports, in a time that grows with their number alone.
Table<PortId, std::string> port_names(const Fabric& fabric);

/// Whether a rate, share or load keeps to its limit; sums of doubles may differ in their last digits.
constexpr bool is_within(double value, double limit) { return value <= limit * (1 + 1e-9); }

/// Bytes on the wire of every port; of ports that share a trunk perfectly, equal parts.
Table<PortId, double> carried_by_ports(const Fabric& fabric, const Telemetry& telemetry);

/// Share of `rate` that `carried` bytes are in `time`.
double utilisation(Bytes carried, BitsPerSecond rate, Picoseconds time);

/// "leaf 3 to spine 7", or "GPU 12 to leaf 1": one port, or the trunk it stands for.
std::string link_name(const Fabric& fabric, std::uint32_t link, bool is_trunk);
std::string link_name(const Fabric& fabric, const Telemetry::Busiest& link);

}  // namespace railyard
