// The search: every point at a glance, those that may be best in closed form, those that still may be with more care.
#pragma once

#include <cstdint>
#include <optional>

#include "base/progress.h"
#include "search/crew.h"
#include "search/journal.h"
#include "search/problem.h"
#include "search/search_result.h"

namespace railyard {

struct LadderOptions {
  Crew crew = {};                        // the result does not depend on it
  std::uint32_t keep = 10;               // the best so many are found for certain, as far as the slack of levels holds
  std::optional<PointId> baseline = {};  // what there is today: measured at every level
  bool is_exhaustive = false;            // every point that a glance allows, at the last level: slow, and proof of the rest
  std::uint32_t most_moves = 20;         // of the best, to a neighbour that is better
};

/// Deterministic: the same result at any number of threads and with any part of it in the journal. Points are tried from the
/// least bound on, until no other can be among the best `keep`: a level's value, less the slack of the next, bounds the latter.
SearchResult search_ladder(const Problem& problem, const LadderOptions& options, Journal& journal, Progress& progress);

}  // namespace railyard
