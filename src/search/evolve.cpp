#include "search/evolve.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/check.h"
#include "base/rng.h"
#include "search/tried_points.h"

namespace railyard {

namespace {

/// Times that a child is drawn anew before a generation does without it.
constexpr int kMostDraws = 200;

class Evolution {
 public:
  Evolution(const Problem& problem, const EvolveOptions& options, Journal& journal, Progress& progress)
      : problem_(problem), options_(options), progress_(progress), measured_(problem, options.crew, journal, progress) {}

  SearchResult run() {
    result_.points = problem_.space.size();
    progress_.expect((options_.most_generations + problem_.levels.size()) * kPartWork);
    result_.baseline = measured_.measure_through(options_.baseline);
    try_points(first_generation());
    std::uint32_t idle = 0;
    for (std::uint32_t i = 1; i < options_.most_generations && idle < options_.patience; i++) {
      const double before = measured_.nth_best(0, 1);
      try_points(offspring(i));
      idle = measured_.nth_best(0, 1) < before ? 0 : idle + 1;
    }
    count_first();
    for (std::size_t level = 1; level < problem_.levels.size(); level++) try_finalists(level);
    result_.ranked = measured_.ranked();
    result_.below_bound = measured_.below_bound();
    if (result_.ranked.empty()) return std::move(result_);
    measured_.look_around(result_, options_.most_moves, progress_);
    take_back();
    return std::move(result_);
  }

 private:
  void try_points(const std::vector<PointId>& points) {
    Progress part(progress_, kPartWork, measured_.best_so_far(0));
    measured_.measure(0, points, part);
  }

  /// What there is, everything that differs from it in one thing, and as many drawn at random.
  std::vector<PointId> first_generation() {
    std::vector<PointId> out{options_.baseline};
    for (const PointId point : problem_.space.neighbours(options_.baseline))
      if (problem_.glance(point).refused.empty()) out.push_back(point);
    Rng rng(options_.seed, "search-first", 0);
    for (std::uint32_t i = 0; i < options_.generation; i++)
      if (const std::optional<PointId> point = drawn([&] { return anywhere(rng); })) out.push_back(*point);
    return out;
  }

  std::vector<PointId> offspring(std::uint32_t generation) {
    const std::vector<PointId> parents = best_points(options_.generation);
    std::vector<PointId> out;
    for (std::uint32_t i = 0; i < options_.generation; i++) {
      Rng rng(options_.seed, "search-child", std::uint64_t{generation} << 32 | i);
      const std::optional<PointId> child = drawn([&] { return child_of(parent(parents, rng), parent(parents, rng), rng); });
      if (child) out.push_back(*child);
    }
    return out;
  }

  /// A point that can be and was not tried; nothing after many draws.
  template<class Draw>
  std::optional<PointId> drawn(Draw draw) {
    for (int i = 0; i < kMostDraws; i++) {
      const PointId point = draw();
      if (!seen_.contains(point) && !measured_.at(0).contains(point) && problem_.glance(point).refused.empty()) {
        seen_.insert(point);
        return point;
      }
    }
    return std::nullopt;
  }

  PointId anywhere(Rng& rng) const {
    std::vector<std::uint32_t> chosen;
    for (const Axis& axis : problem_.space.axes()) chosen.push_back(rng.below(static_cast<std::uint32_t>(axis.values.size())));
    return problem_.space.point(chosen);
  }

  static PointId parent(const std::vector<PointId>& parents, Rng& rng) {
    const auto count = static_cast<std::uint32_t>(parents.size());
    return parents[std::min(rng.below(count), rng.below(count))];
  }

  PointId child_of(PointId a, PointId b, Rng& rng) const {
    const std::vector<std::uint32_t> left = problem_.space.choices(a), right = problem_.space.choices(b);
    std::vector<std::uint32_t> chosen(left.size());
    for (std::size_t i = 0; i < chosen.size(); i++) chosen[i] = rng.below(2) == 0 ? left[i] : right[i];
    const std::uint32_t axis = rng.below(static_cast<std::uint32_t>(chosen.size()));
    chosen[axis] = rng.below(static_cast<std::uint32_t>(problem_.space.axes()[axis].values.size()));
    return problem_.space.point(chosen);
  }

  /// Of the first level, the best first.
  std::vector<PointId> best_points(std::size_t most) const {
    std::vector<std::pair<double, PointId>> order;
    for (const auto& [point, outcome] : measured_.at(0))
      if (outcome.refused.empty()) order.emplace_back(outcome.values.front(), point);
    std::sort(order.begin(), order.end());
    std::vector<PointId> out;
    for (std::size_t i = 0; i < std::min(most, order.size()); i++) out.push_back(order[i].second);
    if (out.empty()) out.push_back(options_.baseline);
    return out;
  }

  /// The same for the next level. Of points that do the same in everything, since what they differ in is of no matter, the one
  /// that is nearest to the baseline stands for all.
  std::vector<PointId> finalists() const {
    std::vector<std::tuple<double, std::uint32_t, PointId>> order;
    for (const auto& [point, outcome] : measured_.at(0))
      if (outcome.refused.empty()) order.emplace_back(outcome.values.front(), changes_of(point), point);
    std::sort(order.begin(), order.end());
    std::set<std::vector<double>> seen;
    std::vector<PointId> out;
    for (const auto& [value, changes, point] : order)
      if (out.size() < options_.finalists && seen.insert(measured_.at(0).at(point).values).second) out.push_back(point);
    if (out.empty()) out.push_back(options_.baseline);
    return out;
  }

  /// How many choices are not the baseline's.
  std::uint32_t changes_of(PointId point) const {
    const std::vector<std::uint32_t> usual = problem_.space.choices(options_.baseline), own = problem_.space.choices(point);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < own.size(); i++) count += own[i] != usual[i] ? 1 : 0;
    return count;
  }

  void count_first() {
    LevelCount count{
        .name = problem_.levels.front().name, .candidates = problem_.space.size(), .tried = measured_.at(0).size()};
    for (const auto& [point, outcome] : measured_.at(0)) count.refused += outcome.refused.empty() ? 0 : 1;
    count.left_off = count.candidates - count.tried;
    result_.levels.push_back(std::move(count));
  }

  void try_finalists(std::size_t level) {
    const std::vector<PointId> points = finalists();
    Progress part(progress_, kPartWork, measured_.best_so_far(level));
    measured_.measure(level, points, part);
    result_.levels.push_back({.name = problem_.levels[level].name, .candidates = points.size(), .tried = points.size()});
  }

  /// Choices that gain nothing.
  void take_back() {
    const double best = result_.ranked.front().by_level.back().values.front();
    PointId kept = result_.ranked.front().point;
    const std::vector<std::uint32_t> usual = problem_.space.choices(options_.baseline);
    for (std::size_t axis = 0; axis < usual.size(); axis++) {
      std::vector<std::uint32_t> chosen = problem_.space.choices(kept);
      chosen[axis] = usual[axis];
      const PointId point = problem_.space.point(chosen);
      if (point == kept || !problem_.glance(point).refused.empty()) continue;
      const TriedPoint tried = measured_.measure_through(point);
      const Outcome& outcome = tried.by_level.back();
      if (outcome.refused.empty() && outcome.values.front() <= best * (1 + options_.worth_changing)) kept = point;
    }
    result_.effects = measured_.effects_around(kept, measured_.at(problem_.levels.size() - 1).at(kept).values.front());
    result_.ranked = measured_.ranked();
    const auto at =
        std::find_if(result_.ranked.begin(), result_.ranked.end(), [&](const TriedPoint& t) { return t.point == kept; });
    std::rotate(result_.ranked.begin(), at, at + 1);
  }

  const Problem& problem_;
  const EvolveOptions& options_;
  Progress& progress_;
  TriedPoints measured_;
  std::set<PointId> seen_;
  SearchResult result_;
};

}  // namespace

SearchResult search_evolve(const Problem& problem, const EvolveOptions& options, Journal& journal, Progress& progress) {
  RY_CHECK(!problem.levels.empty() && !problem.measures.empty(), "a search has a level and a measure");
  RY_CHECK(options.generation > 0 && options.finalists > 0, "a generation has points, and some go on");
  return Evolution(problem, options, journal, progress).run();
}

}  // namespace railyard
