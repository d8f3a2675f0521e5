// How evenly flows lie on equal paths: what hashing makes of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// Member loads of all groups of equal choices in one tier. A group is what one switch chooses from: its uplinks, or its links
/// to one block below. Groups that carried nothing are left out.
struct MemberLoads {
  Tier tier = Tier::leaf_up;
  std::string name;
  std::uint32_t groups = 0, members = 0;
  double idle = 0;           // share of members that carried nothing
  double worst_to_mean = 1;  // load of the busiest member over the mean of its group: the largest
  double entropy = 1;        // of the loads, over that of an even spread: mean over groups
  double effective = 0;      // paths that an even spread of the same entropy would have: mean over groups
};

/// One entry per tier in which switches choose; empty where equal paths share perfectly.
std::vector<MemberLoads> member_loads(const Fabric& fabric, const Telemetry& telemetry);

/// Share of n members that stay idle when k flows pick one at random each: (1 - 1/n)^k.
double expected_idle(std::uint32_t members, std::uint32_t flows);

/// Load of the busiest of n members over the mean when k equal flows pick one at random each; of several such groups, the
/// busiest of all. Members are taken to be independent binomials, which they all but are.
double expected_worst_to_mean(std::uint32_t members, std::uint32_t flows, std::uint32_t groups = 1);

}  // namespace railyard
