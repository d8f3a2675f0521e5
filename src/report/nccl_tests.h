// A sweep of one collective in the layout of nccl-tests, so that whatever reads theirs reads ours.
#pragma once

#include <string>

#include "analysis/results.h"
#include "plan/scenario.h"

namespace railyard {

/// The sizes that were asked for: the last need not be one of those that steps lead to.
struct SizeSweep {
  Bytes first, last;
  Bytes step;  // added from size to size; zero: multiplied instead
  std::int64_t factor = 1;
};

/// Header, one row per size (out-of-place and in-place are the same here: nothing is computed), footer. What nccl-tests does
/// not print, algorithm and protocol, stands in comments.
std::string nccl_tests_table(const Scenario& scenario, const Results& results, const SizeSweep& asked);

}  // namespace railyard
