// Ranks that failures cut off from the rest of a job, by what cuts them off.
#pragma once

#include <string>
#include <vector>

#include "fabric/live.h"
#include "fabric/placement.h"

namespace railyard {

struct CutOff {
  std::string cause;          // "leaf 3 is down"
  std::vector<RankId> ranks;  // in their order
};

/// Ranks that cannot send to the rest of the job over the network, though GPUs of their own scale-up domain may reach them; the
/// rest are those that hang together in the largest number. By cause, in the order of their first ranks.
std::vector<CutOff> find_cut_off(const Fabric& fabric, const LivePorts& live, const Placement& placement);

/// "leaf 3 is down: ranks 48 to 63 are cut off", "leaf 0 is down: rail 0 of servers 0 to 31 is off (32 ranks)".
std::string to_text(const Fabric& fabric, const Placement& placement, const CutOff& cut);

}  // namespace railyard
