// The search: every point at a glance, those that may be best in closed form, those that still may be with more care.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "search/journal.h"
#include "search/problem.h"

namespace railyard {

struct LadderOptions {
  unsigned threads = 0;                  // the result does not depend on it
  std::uint32_t keep = 10;               // the best so many are found for certain, as far as the slack of levels holds
  std::optional<PointId> baseline = {};  // what there is today: measured at every level
  bool is_exhaustive = false;            // every point that a glance allows, at the last level: slow, and proof of the rest
  std::uint32_t most_moves = 20;         // of the best, to a neighbour that is better
};

/// A point that was measured, with what each level said of it; levels it never reached are left off.
struct TriedPoint {
  PointId point = 0;
  std::vector<Outcome> by_level;
};

/// What became of the points at one level.
struct LevelCount {
  std::string name;
  std::uint64_t candidates = 0;  // that came so far
  std::uint64_t tried = 0;       // and were measured,
  std::uint64_t refused = 0;     // of which some could not be;
  std::uint64_t ruled_out = 0;   // and were not, since they cannot be among the best
  std::uint64_t left_off = 0;    // nor, since there were too many
};

/// One value of an axis, if nothing else of the best point changes.
struct AxisEffect {
  std::uint32_t value = 0;
  Outcome outcome;
  bool is_bound = false;  // it is at least so much: a cheaper level said that it is no match
};

struct SearchResult {
  std::uint64_t points = 0;                                       // of the space
  std::vector<std::pair<std::string, std::uint64_t>> impossible;  // at a glance: reasons, the most frequent first
  std::vector<LevelCount> levels;
  std::vector<TriedPoint> ranked;  // that reached the last level and were not refused; the best first
  std::optional<TriedPoint> baseline = {};
  std::optional<std::uint64_t> baseline_rank = {};  // among all points, by the first level; 1 is the best
  std::vector<std::vector<AxisEffect>> effects;     // by axis and value; around the best
  double below_bound = 0;                           // how far a value was below that of the level before, at most, as a share
  std::uint64_t moves = 0;                          // of the best to better neighbours
};

/// Deterministic: the same result at any number of threads and with any part of it in the journal. Points are tried from the
/// least bound on, until no other can be among the best `keep`: a level's value, less the slack of the next, bounds the latter.
SearchResult search_ladder(const Problem& problem, const LadderOptions& options, Journal& journal, Progress& progress);

}  // namespace railyard
