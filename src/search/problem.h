// A question that is answered by trying: what may be chosen, what is measured, and at which levels of care.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "search/space.h"

namespace railyard {

/// What was measured at a point, one value for each measure of the problem; or why nothing could be.
struct Outcome {
  std::string refused = {};
  std::vector<double> values = {};

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// The first measure of a problem is what the search makes small.
struct Measure {
  std::string name, unit;
  bool is_less_better = true;
};

/// What plain arithmetic says of a point before anything is run: why it cannot be, or a value of the first measure that it
/// cannot go below.
struct Glance {
  std::string refused = {};
  double least = 0;
};

/// A way to measure. `evaluate` is called from several threads at once; equal points have equal outcomes.
struct Level {
  std::string name;
  std::function<Outcome(PointId)> evaluate;
  double slack = 0;                // by how much a value here may lie below that of the level before, at most, as a share
  std::uint32_t batch = 16;        // points that are tried before the best is looked at again; never depends on threads
  std::uint64_t most = 1'000'000;  // points that are tried at most, the likeliest first
};

struct Problem {
  Space space;
  std::vector<Measure> measures;
  std::function<Glance(PointId)> glance;
  std::vector<Level> levels;  // the cheapest first
};

}  // namespace railyard
