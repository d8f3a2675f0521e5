#include "search/ladder.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/check.h"
#include "base/parallel.h"
#include "search/tried_points.h"

namespace railyard {

namespace {

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
      : problem_(problem), options_(options), progress_(progress), measured_(problem, options.crew, journal, progress) {}

  SearchResult run() {
    result_.points = problem_.space.size();
    progress_.expect((problem_.levels.size() + 1) * kPartWork);
    std::vector<Candidate> candidates = look_at_all();
    if (options_.baseline) result_.baseline = measured_.measure_through(*options_.baseline);
    for (std::size_t level = options_.is_exhaustive ? problem_.levels.size() - 1 : 0; level < problem_.levels.size(); level++)
      candidates = climb(level, candidates);
    result_.ranked = measured_.ranked();
    result_.below_bound = measured_.below_bound();
    if (!result_.ranked.empty()) measured_.look_around(result_, options_.most_moves, progress_);
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
    for_each_index(parts.size(), options_.crew.threads(), [&](std::size_t part) {
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

  /// The value at `level` that a point has to beat: of the last of the best so far. The first level goes on as far as the
  /// baseline, to rank it.
  double threshold(std::size_t level) const {
    if (options_.is_exhaustive) return std::numeric_limits<double>::infinity();
    const double value = measured_.nth_best(level, options_.keep);
    const bool has_baseline = level == 0 && result_.baseline && result_.baseline->by_level.front().refused.empty();
    return has_baseline ? std::max(value, result_.baseline->by_level.front().values.front()) : value;
  }

  /// Measures what may be among the best, and hands it on with what was measured as its bound.
  std::vector<Candidate> climb(std::size_t level, const std::vector<Candidate>& candidates) {
    const Level& how = problem_.levels[level];
    LevelCount count{.name = how.name, .candidates = candidates.size()};
    Progress part(progress_, kPartWork, how.name);
    part.expect(candidates.size());
    std::size_t next = 0;
    const std::uint64_t most = options_.is_exhaustive ? candidates.size() : how.most;
    std::vector<PointId> tried;
    while (next < candidates.size() && next < most) {
      const double bar = threshold(level);
      std::vector<PointId> batch;
      for (; next < candidates.size() && batch.size() < how.batch && next < most &&
             candidates[next].least * (1 - how.slack) <= bar;
           next++)
        batch.push_back(candidates[next].point);
      if (batch.empty()) break;
      Progress named(part, batch.size(), measured_.best_so_far(level));
      measured_.measure(level, batch, named);
      tried.insert(tried.end(), batch.begin(), batch.end());
    }
    part.finish();
    count.tried = tried.size();
    (next >= most ? count.left_off : count.ruled_out) += candidates.size() - next;
    std::vector<Candidate> on;
    for (const PointId point : tried) {
      const Outcome& outcome = measured_.at(level).at(point);
      if (outcome.refused.empty())
        on.push_back({point, outcome.values.front()});
      else
        count.refused++;
    }
    std::sort(on.begin(), on.end());
    result_.levels.push_back(std::move(count));
    return on;
  }

  /// Among all that the first level measured, which goes on as far as the baseline.
  void rank_baseline() {
    if (!result_.baseline || options_.is_exhaustive || !result_.baseline->by_level.front().refused.empty()) return;
    const double value = result_.baseline->by_level.front().values.front();
    std::uint64_t better = 0;
    for (const auto& [point, outcome] : measured_.at(0))
      if (outcome.refused.empty() && outcome.values.front() < value) better++;
    result_.baseline_rank = better + 1;
  }

  const Problem& problem_;
  const LadderOptions& options_;
  Progress& progress_;
  TriedPoints measured_;
  SearchResult result_;
};

}  // namespace

SearchResult search_ladder(const Problem& problem, const LadderOptions& options, Journal& journal, Progress& progress) {
  RY_CHECK(!problem.levels.empty() && !problem.measures.empty(), "a search has a level and a measure");
  RY_CHECK(options.keep > 0, "a search keeps something");
  return Ladder(problem, options, journal, progress).run();
}

}  // namespace railyard
