// Points that were measured, level by level, and what follows from them: the order, and what lies around the best.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/progress.h"
#include "search/crew.h"
#include "search/journal.h"
#include "search/search_result.h"

namespace railyard {

class TriedPoints {
 public:
  /// All but the crew must outlive this. Cancelled with `progress`.
  TriedPoints(const Problem& problem, Crew crew, Journal& journal, Progress& progress);

  /// Those that are not known yet, by all of the crew; nothing, or `part`, is told how far it is.
  void measure(std::size_t level, const std::vector<PointId>& points);
  void measure(std::size_t level, const std::vector<PointId>& points, Progress& part);
  const Outcome& measure(std::size_t level, PointId point);
  [[nodiscard]] const std::map<PointId, Outcome>& at(std::size_t level) const { return by_level_[level]; }

  /// At every level, from the first to the one that refuses it.
  TriedPoint measure_through(PointId point);

  /// The `n`-th best value at a level; infinite where there are fewer.
  [[nodiscard]] double nth_best(std::size_t level, std::size_t n) const;
  /// "flows, best so far 6.5 s"
  [[nodiscard]] std::string best_so_far(std::size_t level) const;
  /// Everything that the last level measured, the best first.
  [[nodiscard]] std::vector<TriedPoint> ranked() const;

  /// Goes on to better neighbours of the best while there are any, `most_moves` times at most. Then keeps in `result` what each
  /// axis does, and the new order. REQUIRES: result.ranked is the order.
  void look_around(SearchResult& result, std::uint32_t most_moves, Progress& progress);

  /// What each axis does if nothing else of `point`, whose value is given, changes; by axis and value.
  std::vector<std::vector<AxisEffect>> effects_around(PointId point, double value);

  /// How far a value was below that of the level before, at most, as a share.
  [[nodiscard]] double below_bound() const { return below_bound_; }

 private:
  void note(std::size_t level, PointId point);
  [[nodiscard]] TriedPoint tried(PointId point) const;
  void measure_around(PointId best, double value);
  AxisEffect effect_of(PointId point, std::uint32_t value, double best);

  const Problem& problem_;
  const Crew crew_;
  Journal& journal_;
  Progress& progress_;
  std::vector<std::map<PointId, Outcome>> by_level_;
  double below_bound_ = 0;
};

}  // namespace railyard
