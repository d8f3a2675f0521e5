// What is worth trying with a scenario.
#pragma once

#include <string>
#include <vector>

#include "plan/scenario.h"
#include "tools/compare/compare.h"

namespace railyard {

/// Changes that make sense for what the scenario has: no more queue pairs where nothing hashes, no other transport for what has
/// one already. Not run yet.
std::vector<Trial> trials_for(const Scenario& scenario);

/// Links below over links above the spines of a pod.
double oversubscription_above_pods(const Scenario& scenario);

/// One list of overrides after the other: later ones win.
std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b);

/// Names of trials that tables look for.
inline constexpr const char* kOverRoceEcmp = "RoCE with ECMP";
inline constexpr const char* kOverRoceAdaptive = "RoCE with adaptive routing";
inline constexpr const char* kOverInfiniband = "InfiniBand";
inline constexpr const char* kJitter = "jitter";
inline constexpr const char* kStraggler = "straggler";

}  // namespace railyard
