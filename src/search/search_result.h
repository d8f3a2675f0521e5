// What a search found, and how.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "search/problem.h"

namespace railyard {

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

}  // namespace railyard
