#include "engine/engine.h"
#include "plan/headroom.h"

namespace railyard {

PacketLookahead packet_lookahead(const Fabric& fabric, const PacketPlan& plan) {
  PacketLookahead found{Picoseconds::max(), false};
  const auto limit = [&](Picoseconds span, bool is_pause) {
    if (span < found.span) found = {span, is_pause};
  };
  const bool has_delay = fabric.switching == Switching::scheduled && fabric.credit_delay > Picoseconds::zero();
  if (has_delay) limit(fabric.credit_delay, false);  // which a leaf may tell itself of
  for (const TrunkId trunk : ids(fabric.trunk_tier)) {
    const Tier tier = fabric.trunk_tier[trunk];
    if (is_scale_up(tier) || fabric.trunk_ports[trunk].empty()) continue;
    if (tier != Tier::host_down)
      limit(fabric.trunk_delay[trunk] - (tier == Tier::host_up ? fabric.host_latency : Picoseconds::zero()), false);
    if (tier != Tier::host_up && (plan.pfc.enabled || plan.credits.room > Bytes::zero()))
      limit(fabric.trunk_cable[trunk] + pause_response(plan, fabric.trunk_port_rate[trunk]), true);
  }
  return found;
}

}  // namespace railyard
