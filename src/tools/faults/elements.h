// What of a fabric can fail, those that are alike together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/placement.h"

namespace railyard {

/// Elements that a fabric's symmetry makes alike for a job: as many ranks below, as many links.
struct ElementClass {
  std::string what;                   // "spine", "leaf uplink", "NIC port"
  std::uint32_t count = 0;            // how many there are
  double lost = 0;                    // share of what its neighbours have of its kind, that goes with one of them
  std::vector<std::string> members;   // some, as [failures] names them: the first, its neighbour, those far away
  std::vector<std::string> switches;  // all of them, where they are switches
  std::string half_rate;              // of one of its links, as [failures] writes it; empty: it has none of its own
  std::string tier;                   // "NIC", "leaf", "spine", "core", "gateway"; "switch" in a drawing
  bool is_link = false;               // else a switch
};

/// By tier, from the GPUs up. Elements without a rank below them are left out where a job does not need them.
std::vector<ElementClass> element_classes(const Fabric& fabric, const Placement& placement);

}  // namespace railyard
