// Packets that several processes play together: the same network in each, a part of its nodes awake in each.
#pragma once

#include <memory>

#include "base/team_post.h"
#include "engine/engine.h"

namespace railyard {

/// Thrown by finish() in all processes but the first, which has all there is to know and goes on alone.
struct TeamDone {};

/// As make_packet_engine(). All processes make the same calls until finish(), whose completions are the same in each. The team
/// must outlive the engine. REQUIRES: no tap, no failures, no GPU; nothing else uses the team meanwhile.
std::unique_ptr<Engine> make_team_engine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing,
                                         const PacketPlan& plan, const PacketOptions& options, TeamPost& team,
                                         Telemetry& telemetry);

}  // namespace railyard
