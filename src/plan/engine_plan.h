// Which engine carries the traffic, and how exactly.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "plan/choices.h"

namespace railyard {

/// Of one step, unless somebody wants more: about an hour on one core.
inline constexpr std::uint64_t kMostPacketHops = 20'000'000'000;

struct EnginePlan {
  Fidelity fidelity = Fidelity::analytic;
  std::uint64_t seed = 1;
  EngineMode mode = EngineMode::automatic;
  Picoseconds quantum = 10_us;            // completions within it are merged where the mode is quantised
  bool cache = true;                      // equal sets of flows are solved once
  double efficiency = 1;                  // share of a port's rate that flows get to use
  std::uint64_t limit = kMostPacketHops;  // packets of a whole step times the links they cross: more are refused
};

}  // namespace railyard
