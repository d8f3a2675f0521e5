// From what was tried to what to do.
#pragma once

#include <vector>

#include "tools/compare/compare.h"

namespace railyard {

/// Every change that was tried, those that save most of a step first. A change that costs time is advice to keep what is there.
/// What neither gains nor costs half a per mille is left out.
std::vector<Advice> ranked_advice(const std::vector<ComparedRun>& runs);

}  // namespace railyard
