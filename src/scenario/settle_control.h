// Settles how senders are held back: which congestion control there is, its parameters, and where switches mark for it.
#pragma once

#include <string>

#include "scenario/scenario.h"

namespace railyard {

inline constexpr Picoseconds kReferenceTrip = 12_us;  // round trip that htsim sizes its queues for

/// Adds to scenario.inputs: as the user's word where it is, else with what it rests on.
void note_input(Scenario& scenario, const std::string& key, std::string value, Origin otherwise);

/// Fills scenario.packet.control. REQUIRES: the fabric's plan is settled.
void settle_control(Scenario& scenario);

/// Fills scenario.packet.dcqcn and scenario.packet.ecn. REQUIRES: the control is settled.
void settle_marks(Scenario& scenario);

}  // namespace railyard
