// Part of a step packet by packet: queues, marks and pauses, as set and as they could be set.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "tools/compare/compare.h"

namespace railyard {

/// A network of more endpoints is not played packet by packet here: it needs more memory than a comparison should.
inline constexpr std::uint32_t kMostEndpoints = 32'768;

/// What is tried: the slice as it is, first, then with congestion control on or off and with other marks, where that applies.
/// Nothing for scenarios that are not played over flows, or are too large. Not run yet.
std::vector<SliceTrial> slices_for(const Scenario& scenario);

/// Runs one of them.
void try_slice(const std::string& name, const std::vector<std::string>& overrides, const Catalog& catalog, SliceTrial& trial,
               Progress& progress);

}  // namespace railyard
