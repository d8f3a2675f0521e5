// What a cluster costs whoever owns it: prices that the user gave, and over how long and how much of the time it works.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "base/units.h"

namespace railyard {

/// One line of [prices]: a part of the catalog, or one of kPlainParts.
struct GivenPrice {
  std::string part;
  Dollars price;
  SourceSpan where;
};

/// What has a price without being an entry of the catalog, or goes by its role: the servers, switches and NICs of the scenario
/// whatever they are called, a fibre between two transceivers, a megawatt-hour.
inline constexpr std::string_view kPlainParts[] = {"server", "switch", "nic", "fibre", "electricity"};

/// [cost].
struct CostPlan {
  double years = 4;          // that what is bought is used for
  double utilisation = 0.9;  // share of the time in which the job runs
  double pue = 1.21;         // power of the building over that of what computes in it
};

}  // namespace railyard
