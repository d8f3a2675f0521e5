// A search of spaces that are too large to look at: generations of points, the better of which have offspring.
#pragma once

#include <cstdint>
#include <optional>

#include "base/progress.h"
#include "search/crew.h"
#include "search/journal.h"
#include "search/problem.h"
#include "search/search_result.h"

namespace railyard {

struct EvolveOptions {
  Crew crew = {};                 // the result does not depend on it
  std::uint64_t seed = 1;         // of all draws
  PointId baseline = 0;           // where it begins: this point, and what differs from it on one axis
  std::uint32_t generation = 24;  // points that are tried at once
  std::uint32_t most_generations = 40;
  std::uint32_t patience = 5;     // generations without a better one, until it ends
  std::uint32_t finalists = 8;    // of the first level, that go on to the next ones; of those that do the same in all, one
  double worth_changing = 0.002;  // what differs from the baseline and gains less than this share is taken back
  std::uint32_t most_moves = 2;   // of the best, to a neighbour that is better at the last level
};

/// Deterministic for a seed, at any number of threads and with any part of it in the journal. Parents are the better of two
/// drawn from the best so far; a child has each choice from either of two parents, and then one changed at random. Points that
/// a glance refuses are drawn again. In the end, choices of the best that gain nothing go back to those of the baseline: the
/// first of those ranked is what is left, though another may be better by a hair.
SearchResult search_evolve(const Problem& problem, const EvolveOptions& options, Journal& journal, Progress& progress);

}  // namespace railyard
