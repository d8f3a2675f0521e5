#include "search/ladder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/check.h"
#include "base/parallel.h"

namespace railyard {

namespace {

/// A neighbour that a cheaper level finds so much worse than the best is not measured with more care.
constexpr double kNoMatch = 1.25;

/// A point on its way up, with a value of the first measure that it cannot go below.
struct Candidate {
  PointId point = 0;
  double least = 0;

  friend bool operator<(const Candidate& a, const Candidate& b) {
    return std::pair(a.least, a.point) < std::pair(b.least, b.point);
  }
};

class Ladder {
 public:
  Ladder(const Problem& problem, const LadderOptions& options, Journal& journal, Progress& progress)
      : problem_(problem), options_(options), journal_(journal), progress_(progress), tried_(problem.levels.size()) {}

  SearchResult run() {
    result_.points = problem_.space.size();
    progress_.expect((problem_.levels.size() + 1) * kPartWork);
    std::vector<Candidate> candidates = look_at_all();
    if (options_.baseline) measure_baseline();
    for (std::size_t level = options_.is_exhaustive ? problem_.levels.size() - 1 : 0; level < problem_.levels.size(); level++)
      candidates = climb(level, candidates);
    rank_all();
    if (!result_.ranked.empty()) look_around();
    rank_baseline();
    return std::move(result_);
  }

 private:
  /// Points that a glance allows, the likeliest first; the others are counted by why.
  std::vector<Candidate> look_at_all() {
    const std::uint64_t count = problem_.space.early_size();
    constexpr std::uint64_t kAtOnce = 4096;
    std::vector<std::vector<Candidate>> parts((count + kAtOnce - 1) / kAtOnce);
    std::vector<std::map<std::string, std::uint64_t>> reasons(parts.size());
    for_each_index(parts.size(), options_.threads, [&](std::size_t part) {
      for (std::uint64_t i = part * kAtOnce; i < std::min(count, (part + 1) * kAtOnce); i++) {
        const PointId point = problem_.space.early(i);
        const Glance glance = problem_.glance(point);
        if (glance.refused.empty())
          parts[part].push_back({point, glance.least});
        else
          reasons[part][glance.refused]++;
      }
    });
    std::vector<Candidate> all;
    std::map<std::string, std::uint64_t> why;
    for (std::size_t part = 0; part < parts.size(); part++) {
      all.insert(all.end(), parts[part].begin(), parts[part].end());
      for (const auto& [reason, times] : reasons[part]) why[reason] += times;
    }
    result_.impossible.assign(why.begin(), why.end());
    std::stable_sort(result_.impossible.begin(), result_.impossible.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    std::sort(all.begin(), all.end());
    return all;
  }

  /// From the journal, or measured now.
  const Outcome& measure(std::size_t level, PointId point) {
    const std::vector<PointId> one{point};
    measure_all(level, one);
    return tried_[level].at(point);
  }

  void measure_all(std::size_t level, const std::vector<PointId>& points) {
    std::vector<PointId> missing;
    for (const PointId point : points) {
      if (tried_[level].contains(point)) continue;
      if (std::optional<Outcome> known = journal_.find(level, point))
        tried_[level][point] = std::move(*known);
      else
        missing.push_back(point);
    }
    std::vector<Outcome> outcomes(missing.size());
    for_each_index(missing.size(), options_.threads, [&](std::size_t i) {
      outcomes[i] = problem_.levels[level].evaluate(missing[i]);
      journal_.add(level, missing[i], outcomes[i]);
    });
    for (std::size_t i = 0; i < missing.size(); i++) tried_[level][missing[i]] = std::move(outcomes[i]);
    for (const PointId point : points) note(level, point);
  }

  /// Keeps what is best at this level, and how far it is below what the level before promised.
  void note(std::size_t level, PointId point) {
    const Outcome& outcome = tried_[level].at(point);
    if (!outcome.refused.empty()) return;
    RY_CHECK(outcome.values.size() == problem_.measures.size(), "a point has a value for every measure");
    if (level == 0) return;
    const auto before = tried_[level - 1].find(point);
    if (before == tried_[level - 1].end() || !before->second.refused.empty()) return;
    result_.below_bound = std::max(result_.below_bound, 1 - outcome.values.front() / before->second.values.front());
  }

  /// The value at `level` that a point has to beat: of the last of the best so far.
  double threshold(std::size_t level) const {
    std::vector<double> values;
    for (const auto& [point, outcome] : tried_[level])
      if (outcome.refused.empty()) values.push_back(outcome.values.front());
    if (values.size() < options_.keep) return std::numeric_limits<double>::infinity();
    std::nth_element(values.begin(), values.begin() + (options_.keep - 1), values.end());
    double value = values[options_.keep - 1];
    if (level == 0 && result_.baseline && !result_.baseline->by_level.empty() && result_.baseline->by_level[0].refused.empty())
      value = std::max(value, result_.baseline->by_level[0].values.front());
    return value;
  }

  /// Measures what may be among the best, and hands it on with what was measured as its bound.
  std::vector<Candidate> climb(std::size_t level, const std::vector<Candidate>& candidates) {
    const Level& how = problem_.levels[level];
    LevelCount count{.name = how.name, .candidates = candidates.size()};
    Progress part(progress_, kPartWork, how.name);
    part.expect(candidates.size());
    std::size_t next = 0;
    const std::uint64_t most = options_.is_exhaustive ? candidates.size() : how.most;
    while (next < candidates.size() && next < most) {
      const double bar = options_.is_exhaustive ? std::numeric_limits<double>::infinity() : threshold(level);
      std::vector<PointId> batch;
      while (next < candidates.size() && batch.size() < how.batch && next < most &&
             candidates[next].least * (1 - how.slack) <= bar)
        batch.push_back(candidates[next++].point);
      if (batch.empty()) break;
      const Progress named(part, batch.size(), named_part(level));
      measure_all(level, batch);
    }
    part.finish();
    count.tried = next;
    (next >= most ? count.left_off : count.ruled_out) = candidates.size() - next;
    std::vector<Candidate> on;
    for (std::size_t i = 0; i < next; i++) {
      const Outcome& outcome = tried_[level].at(candidates[i].point);
      if (outcome.refused.empty())
        on.push_back({candidates[i].point, outcome.values.front()});
      else
        count.refused++;
    }
    std::sort(on.begin(), on.end());
    result_.levels.push_back(std::move(count));
    return on;
  }

  /// "flows, best so far 6.5 s"
  std::string named_part(std::size_t level) const {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& [point, outcome] : tried_[level])
      if (outcome.refused.empty()) best = std::min(best, outcome.values.front());
    const Level& how = problem_.levels[level];
    if (best == std::numeric_limits<double>::infinity()) return how.name;
    return fmt::format("{}, best so far {:.4g} {}", how.name, best, problem_.measures.front().unit);
  }

  void measure_baseline() {
    TriedPoint baseline{*options_.baseline, {}};
    for (std::size_t level = 0; level < problem_.levels.size(); level++) {
      baseline.by_level.push_back(measure(level, baseline.point));
      if (!baseline.by_level.back().refused.empty()) break;
    }
    result_.baseline = std::move(baseline);
  }

  TriedPoint tried(PointId point) const {
    TriedPoint out{point, {}};
    for (const auto& level : tried_) {
      const auto found = level.find(point);
      out.by_level.push_back(found == level.end() ? Outcome{"not tried", {}} : found->second);
    }
    return out;
  }

  void rank_all() {
    const auto& last = tried_.back();
    std::vector<Candidate> order;
    for (const auto& [point, outcome] : last)
      if (outcome.refused.empty()) order.push_back({point, outcome.values.front()});
    std::sort(order.begin(), order.end());
    result_.ranked.clear();
    for (const Candidate& candidate : order) result_.ranked.push_back(tried(candidate.point));
  }

  /// What a neighbour is worth; with care only where it may be a match.
  AxisEffect effect_of(PointId point, std::uint32_t value, double best) {
    if (const Glance glance = problem_.glance(point); !glance.refused.empty()) return {value, {glance.refused, {}}, false};
    for (std::size_t level = 0; level + 1 < problem_.levels.size(); level++) {
      const Outcome& cheap = measure(level, point);
      if (!cheap.refused.empty()) return {value, cheap, false};
      if (cheap.values.front() > best * kNoMatch && !tried_.back().contains(point)) return {value, cheap, true};
    }
    return {value, measure(problem_.levels.size() - 1, point), false};
  }

  /// Measures neighbours together first, so that threads have work; effect_of then finds them.
  void measure_around(PointId best, double value) {
    std::vector<PointId> points;
    for (const PointId point : problem_.space.neighbours(best))
      if (problem_.glance(point).refused.empty()) points.push_back(point);
    for (std::size_t level = 0; level < problem_.levels.size() && !points.empty(); level++) {
      measure_all(level, points);
      std::erase_if(points, [&](PointId point) {
        const Outcome& outcome = tried_[level].at(point);
        return !outcome.refused.empty() || outcome.values.front() > value * kNoMatch;
      });
    }
  }

  /// Goes on to better neighbours while there are any, then keeps what each axis does.
  void look_around() {
    Progress part(progress_, kPartWork, "around the best");
    for (std::uint32_t move = 0; move < options_.most_moves; move++) {
      const PointId best = result_.ranked.front().point;
      const double value = result_.ranked.front().by_level.back().values.front();
      measure_around(best, value);
      result_.effects.assign(problem_.space.axes().size(), {});
      const std::vector<std::uint32_t> chosen = problem_.space.choices(best);
      for (std::size_t axis = 0; axis < chosen.size(); axis++) {
        std::vector<std::uint32_t> moved = chosen;
        for (moved[axis] = 0; moved[axis] < problem_.space.axes()[axis].values.size(); moved[axis]++)
          result_.effects[axis].push_back(effect_of(problem_.space.point(moved), moved[axis], value));
      }
      rank_all();
      if (result_.ranked.front().point == best) return;
      result_.moves++;
    }
  }

  /// Among all that the first level measured, which goes on as far as the baseline.
  void rank_baseline() {
    if (!result_.baseline || options_.is_exhaustive || !result_.baseline->by_level.front().refused.empty()) return;
    const double value = result_.baseline->by_level.front().values.front();
    std::uint64_t better = 0;
    for (const auto& [point, outcome] : tried_.front())
      if (outcome.refused.empty() && outcome.values.front() < value) better++;
    result_.baseline_rank = better + 1;
  }

  const Problem& problem_;
  const LadderOptions& options_;
  Journal& journal_;
  Progress& progress_;
  std::vector<std::map<PointId, Outcome>> tried_;  // by level
  SearchResult result_;
};

}  // namespace

SearchResult search_ladder(const Problem& problem, const LadderOptions& options, Journal& journal, Progress& progress) {
  RY_CHECK(!problem.levels.empty() && !problem.measures.empty(), "a search has a level and a measure");
  RY_CHECK(options.keep > 0, "a search keeps something");
  return Ladder(problem, options, journal, progress).run();
}

}  // namespace railyard
