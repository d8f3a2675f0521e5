// From what was tried to what to do.
#pragma once

#include <vector>

#include "tools/compare/compare.h"

namespace railyard {

/// Every change that was tried, those that save most of a step first. A change that costs time is advice to keep what is there.
/// What neither gains nor costs half a per mille is left out.
std::vector<Advice> ranked_advice(const std::vector<ComparedRun>& runs);

/// What was tried and is no advice: "llama3, oversubscription" where it hardly moves the step. What cannot be built is not
/// named.
std::vector<std::string> without_effect(const std::vector<ComparedRun>& runs, const std::vector<Advice>& told);

}  // namespace railyard
