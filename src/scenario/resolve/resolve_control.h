// Resolves how senders are held back: which congestion control there is, its parameters, and where switches mark for it.
#pragma once

#include <string>

#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

inline constexpr Picoseconds kReferenceTrip = 12_us;  // round trip that htsim sizes its queues for

/// Adds to out.inputs: as the user's word where it is, else with what it rests on.
void note_input(Scenario& out, const std::string& key, std::string value, Origin otherwise);

/// Fills out.packet.control. REQUIRES: fabric and transport are resolved.
void resolve_control(const ScenarioSpec& spec, Scenario& out);

/// Whether congestion is told by a flag on ACKs, and so as often as there are some.
[[nodiscard]] bool has_cnps_on_acks(const ScenarioSpec& spec, const Scenario& out);

/// Fills out.packet.dcqcn and out.packet.ecn. REQUIRES: the control is resolved.
void resolve_marks(const ScenarioSpec& spec, Scenario& out);

}  // namespace railyard
