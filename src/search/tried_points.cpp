#include "search/tried_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"

namespace railyard {

namespace {

/// A neighbour that a cheaper level finds so much worse than the best is not measured with more care.
constexpr double kNoMatch = 1.25;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

TriedPoints::TriedPoints(const Problem& problem, Crew crew, Journal& journal, Progress& progress)
    : problem_(problem), crew_(std::move(crew)), journal_(journal), progress_(progress), by_level_(problem.levels.size()) {}

void TriedPoints::measure(std::size_t level, const std::vector<PointId>& points) {
  Progress part(progress_, 0);
  measure(level, points, part);
}

void TriedPoints::measure(std::size_t level, const std::vector<PointId>& points, Progress& part) {
  std::vector<PointId> missing;
  for (const PointId point : points)
    if (!by_level_[level].contains(point)) missing.push_back(point);
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  std::vector<SearchTrial> trials;
  for (const PointId point : missing) trials.push_back({level, point});
  std::vector<Outcome> outcomes = measure_trials(
      crew_, journal_, trials, [&](std::size_t i, Progress&) { return problem_.levels[level].evaluate(missing[i]); }, part);
  for (std::size_t i = 0; i < missing.size(); i++) by_level_[level][missing[i]] = std::move(outcomes[i]);
  for (const PointId point : points) note(level, point);
}

const Outcome& TriedPoints::measure(std::size_t level, PointId point) {
  measure(level, std::vector<PointId>{point});
  return by_level_[level].at(point);
}

void TriedPoints::note(std::size_t level, PointId point) {
  const Outcome& outcome = by_level_[level].at(point);
  if (!outcome.refused.empty()) return;
  RY_CHECK(outcome.values.size() == problem_.measures.size(), "a point has a value for every measure");
  if (level == 0) return;
  const auto before = by_level_[level - 1].find(point);
  if (before == by_level_[level - 1].end() || !before->second.refused.empty()) return;
  below_bound_ = std::max(below_bound_, 1 - outcome.values.front() / before->second.values.front());
}

TriedPoint TriedPoints::measure_through(PointId point) {
  TriedPoint out{point, {}};
  for (std::size_t level = 0; level < problem_.levels.size(); level++) {
    out.by_level.push_back(measure(level, point));
    if (!out.by_level.back().refused.empty()) break;
  }
  return out;
}

double TriedPoints::nth_best(std::size_t level, std::size_t n) const {
  std::vector<double> values;
  for (const auto& [point, outcome] : by_level_[level])
    if (outcome.refused.empty()) values.push_back(outcome.values.front());
  if (values.size() < n) return kInfinite;
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(n - 1);
  std::nth_element(values.begin(), nth, values.end());
  return *nth;
}

std::string TriedPoints::best_so_far(std::size_t level) const {
  const std::string& name = problem_.levels[level].name;
  const double best = nth_best(level, 1);
  if (best == kInfinite) return name;
  const std::string& unit = problem_.measures.front().unit;
  return fmt::format("{}, best so far {:.4g}{}{}", name, best, unit.empty() ? "" : " ", unit);
}

TriedPoint TriedPoints::tried(PointId point) const {
  TriedPoint out{point, {}};
  for (const auto& level : by_level_) {
    const auto found = level.find(point);
    out.by_level.push_back(found == level.end() ? Outcome{"not tried", {}} : found->second);
  }
  return out;
}

std::vector<TriedPoint> TriedPoints::ranked() const {
  std::vector<std::pair<double, PointId>> order;
  for (const auto& [point, outcome] : by_level_.back())
    if (outcome.refused.empty()) order.emplace_back(outcome.values.front(), point);
  std::sort(order.begin(), order.end());
  std::vector<TriedPoint> out;
  for (const auto& [value, point] : order) out.push_back(tried(point));
  return out;
}

AxisEffect TriedPoints::effect_of(PointId point, std::uint32_t value, double best) {
  if (const Glance glance = problem_.glance(point); !glance.refused.empty()) return {value, {glance.refused, {}}, false};
  for (std::size_t level = 0; level + 1 < problem_.levels.size(); level++) {
    const Outcome& cheap = measure(level, point);
    if (!cheap.refused.empty()) return {value, cheap, false};
    if (cheap.values.front() > best * kNoMatch && !by_level_.back().contains(point)) return {value, cheap, true};
  }
  return {value, measure(problem_.levels.size() - 1, point), false};
}

/// Neighbours together, so that threads have work; effect_of() then finds them.
void TriedPoints::measure_around(PointId best, double value) {
  std::vector<PointId> points;
  for (const PointId point : problem_.space.neighbours(best))
    if (problem_.glance(point).refused.empty()) points.push_back(point);
  for (std::size_t level = 0; level < problem_.levels.size() && !points.empty(); level++) {
    measure(level, points);
    std::erase_if(points, [&](PointId point) {
      const Outcome& outcome = by_level_[level].at(point);
      return !outcome.refused.empty() || outcome.values.front() > value * kNoMatch;
    });
  }
}

std::vector<std::vector<AxisEffect>> TriedPoints::effects_around(PointId point, double value) {
  measure_around(point, value);
  std::vector<std::vector<AxisEffect>> effects(problem_.space.axes().size());
  const std::vector<std::uint32_t> chosen = problem_.space.choices(point);
  for (std::size_t axis = 0; axis < chosen.size(); axis++) {
    std::vector<std::uint32_t> moved = chosen;
    for (moved[axis] = 0; moved[axis] < problem_.space.axes()[axis].values.size(); moved[axis]++)
      effects[axis].push_back(effect_of(problem_.space.point(moved), moved[axis], value));
  }
  return effects;
}

void TriedPoints::look_around(SearchResult& result, std::uint32_t most_moves, Progress& progress) {
  Progress part(progress, kPartWork, "around the best");
  for (std::uint32_t move = 0; move <= most_moves; move++) {
    const PointId best = result.ranked.front().point;
    const double value = result.ranked.front().by_level.back().values.front();
    result.effects = effects_around(best, value);
    result.ranked = ranked();
    result.below_bound = below_bound_;
    if (result.ranked.front().point == best) return;
    result.moves++;
  }
}

}  // namespace railyard
