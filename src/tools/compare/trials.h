// What is worth trying with a scenario.
#pragma once

#include <string>
#include <vector>

#include "plan/scenario.h"
#include "tools/compare/compare.h"

namespace railyard {

/// What may help (answer/levers.h), and what tables show: other transports, delays. Not run yet.
std::vector<Trial> trials_for(const Scenario& scenario, const Catalog& catalog);

/// Names of trials that tables look for.
inline constexpr const char* kOverRoceEcmp = "RoCE with ECMP";
inline constexpr const char* kOverRoceAdaptive = "RoCE with adaptive routing";
inline constexpr const char* kOverInfiniband = "InfiniBand";
inline constexpr const char* kJitter = "jitter";
inline constexpr const char* kStraggler = "straggler";

}  // namespace railyard
