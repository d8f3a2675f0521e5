// What a comparison comes to, in a few sentences.
#pragma once

#include <vector>

#include "tools/compare/compare.h"

namespace railyard {

/// What the network costs each job, the most first; what helps most; how sure that is. REQUIRES: every run has its verdict.
std::vector<Sentence> comparison_sentences(const std::vector<ComparedRun>& runs);

}  // namespace railyard
