#include "tools/plan/network_search.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "search/best_first.h"
#include "search/front.h"
#include "search/tried_points.h"
#include "tools/plan/network_space.h"

namespace railyard {

namespace {

/// How far flows may be faster than closed forms, to begin with; and how much more than what was seen is allowed.
constexpr double kFlowSlack = 0.002, kSlackOverSeen = 2;
/// What a step may differ by and count as the same: as much as --loss, within these.
constexpr double kFinest = 0.001, kCoarsest = 0.01;
/// Networks that are looked at side by side; results do not depend on threads.
constexpr std::size_t kAtOnce = 4;
/// Of those that nothing beats, how many are looked at with a switch down.
constexpr std::size_t kLookedAt = 12;

constexpr const char* kBeyond = "it is beyond a limit";
constexpr const char* kLevelNames[] = {"built and priced", "flows", "flows, with a switch down"};

class NetworkSearch {
 public:
  NetworkSearch(const Problem& problem, const NetworkQuestion& question, Journal& journal, Progress& progress)
      : question_(question),
        asked_(question.asked),
        progress_(progress),
        measured_(problem, question.crew, journal, progress),
        resolution_(std::clamp(asked_.loss, kFinest, kCoarsest) / (1 + kCoarsest)) {
    progress_.expect(4 * kPartWork);
  }

  SoughtNetworks run() {
    build_all();
    play_front();
    find_fastest();
    choose();
    take_front_down();
    look_around();
    sum_up();
    return std::move(found_);
  }

 private:
  const std::vector<double>& built(PointId point) const { return measured_.at(kBuilt).at(point).values; }
  /// As flows have it; nothing where it was not played, or cannot be.
  const Outcome* played(PointId point) const {
    const auto found = measured_.at(kPlayed).find(point);
    return found == measured_.at(kPlayed).end() ? nullptr : &found->second;
  }
  bool is_refused(PointId point) const { return played(point) && !played(point)->refused.empty(); }

  /// Flows have shorter ways than closed forms think, the more so the larger a network is: those that were played tell.
  double least_step(PointId point) const {
    if (played(point) && !is_refused(point)) return played(point)->values[kStep];
    return built(point)[kStep] * (1 - slack_);
  }
  /// What counts as the same step has the same number: 0 around the least one without queues.
  double units(PointId point) const { return std::round((least_step(point) / least_ - 1) / resolution_); }
  /// The least step of those with a number.
  double edge(double units) const { return least_ * (1 + (units - 0.5) * resolution_); }

  /// As a front sees it, at best. Power that is not known beats none.
  std::vector<double> merits(PointId point) const {
    const std::vector<double>& v = built(point);
    return {units(point), v[kSwitches], v[kCables], v[kWattsMissing] == 0 ? v[kWatts] : INFINITY};
  }

  void build_all() {
    std::vector<PointId> all(question_.space.size());
    for (PointId point = 0; point < all.size(); point++) all[point] = point;
    const Progress part(progress_, kPartWork, kLevelNames[kBuilt]);
    measured_.measure(kBuilt, all);
    for (const PointId point : all) {
      if (!measured_.at(kBuilt).at(point).refused.empty()) continue;
      networks_.push_back(point);
      least_ = std::min(least_, built(point)[kStep]);
    }
    std::stable_sort(networks_.begin(), networks_.end(), [&](PointId a, PointId b) {
      const auto order_of = [&](PointId point) {
        return std::pair(units(point), built(point)[kSwitches] + built(point)[kOptics] / 16);
      };
      return order_of(a) < order_of(b);
    });
  }

  /// Until all that was not played is no better than something that was, at best.
  void play_front() {
    const Progress part(progress_, kPartWork, measured_.best_so_far(kPlayed));
    const std::size_t at_once = asked_.exhaustive ? networks_.size() : kAtOnce;
    while (true) {
      std::vector<PointId> batch;
      for (const PointId point : networks_)
        if (batch.size() < at_once && !played(point) &&
            (asked_.exhaustive || (!is_covered(point) && !may_be_covered(point, batch))))
          batch.push_back(point);
      if (batch.empty()) break;
      measured_.measure(kPlayed, batch);
      slack_ = std::max(slack_, kSlackOverSeen * measured_.below_bound());
    }
    for (const PointId point : networks_)
      if (played(point) && !is_refused(point) && !is_covered(point)) found_.front.push_back(point);
    std::stable_sort(found_.front.begin(), found_.front.end(),
                     [&](PointId a, PointId b) { return least_step(a) < least_step(b); });
  }

  bool is_covered(PointId point) const {
    const std::vector<double> own = merits(point);
    return std::any_of(networks_.begin(), networks_.end(), [&](PointId other) {
      return other != point && played(other) && !is_refused(other) && covers(merits(other), other, own, point);
    });
  }

  /// Whether one that is about to be played beats it, if both are as good as they may be: that is waited for.
  bool may_be_covered(PointId point, const std::vector<PointId>& batch) const {
    const std::vector<double> own = merits(point);
    return std::any_of(batch.begin(), batch.end(), [&](PointId other) { return covers(merits(other), other, own, point); });
  }

  void find_fastest() {
    for (const PointId point : networks_)
      if (played(point) && !is_refused(point)) fastest_ = std::min(fastest_, units(point));
  }

  /// Whether it is, or may be, no more slower than the fastest than is allowed.
  bool is_fast_enough(PointId point) const {
    return units(point) <= fastest_ || least_step(point) <= edge(fastest_) * (1 + asked_.loss);
  }

  /// Less is better, and more care makes it no less. Sums that lack a price do not compare with those that do not: they come
  /// after them. Of what is the same in that and in step, the one of which most is known comes first.
  std::vector<double> merit_of(PointId point, bool all_priced) const {
    const std::vector<double>& v = built(point);
    const double unknown = is_known(question_.limits, v) ? 0 : 1, step = units(point), boxes = v[kSwitches] + v[kOptics] / 16;
    const std::string& by = asked_.by;
    std::vector<double> merit = {unknown, boxes};
    if (by == "step") merit = {unknown, step, boxes};
    if (by == "price" || (by == "hardware" && all_priced)) merit = {unknown, v[kUsdMissing], v[kUsd]};
    if (by == "power") merit = {unknown, v[kWattsMissing], v[kWatts]};
    if (by == "tokens") merit = {unknown, v[kTokenUsdMissing], v[kTokenUsd] * least_step(point)};
    if (by == "one-down") merit = {unknown, least_down(point)};
    for (const double value : {step, v[kUsdMissing], v[kWattsMissing], v[kUsd], v[kWatts]}) merit.push_back(value);
    return merit;
  }

  double least_down(PointId point) const {
    const auto down = found_.down.find(point);
    if (down == found_.down.end()) return least_step(point);
    return down->second > 0 ? down->second : INFINITY;
  }

  /// A limit asks for something above the leaves that may fail; without one, whatever goes on is fine.
  bool survives(PointId point) const {
    const double down = found_.down.at(point);
    if (!asked_.tolerate) return std::isfinite(down);
    return down > 0 && down <= least_step(point) * (1 + *asked_.tolerate);
  }

  Prospect prospect_of(PointId point, bool all_priced, bool has_to_survive) const {
    Prospect out{merit_of(point, all_priced), false, is_refused(point) || !is_fast_enough(point)};
    if (out.is_refused || !played(point)) return out;
    out.is_known = found_.down.contains(point);
    out.is_refused = out.is_known && has_to_survive && !survives(point);
    return out;
  }

  void choose() {
    const Progress part(progress_, kPartWork, kLevelNames[kDown]);
    if (asked_.exhaustive) look_closer(networks_);
    const bool all_priced = std::all_of(networks_.begin(), networks_.end(), [&](PointId point) {
      return built(point)[kUsdMissing] == 0 || !is_fast_enough(point);
    });
    const auto best = [&](bool has_to_survive) {
      return best_first(
          networks_, asked_.by == "one-down" ? kAtOnce : 1,
          [&](PointId point) { return prospect_of(point, all_priced, has_to_survive); },
          [&](const std::vector<PointId>& points) { look_closer(points); });
    };
    found_.chosen = best(true);
    if (!found_.chosen && !asked_.tolerate) found_.chosen = best(false);
  }

  /// What was not played is; what is fast enough then has a switch down.
  void look_closer(const std::vector<PointId>& points) {
    measured_.measure(kPlayed, points);
    std::vector<PointId> down;
    for (const PointId point : points)
      if (!is_refused(point) && (asked_.exhaustive || is_fast_enough(point))) down.push_back(point);
    take_down(down);
  }

  void take_down(const std::vector<PointId>& points) {
    measured_.measure(kDown, points);
    for (const PointId point : points) {
      const Outcome& outcome = measured_.at(kDown).at(point);
      found_.down[point] = outcome.refused.empty() ? outcome.values[kStep] : 0;
    }
  }

  void take_front_down() {
    take_down(
        {found_.front.begin(), found_.front.begin() + static_cast<std::ptrdiff_t>(std::min(found_.front.size(), kLookedAt))});
  }

  /// What each axis does to the step of the one that is proposed. How it is wired is played; other parts are bounds where they
  /// were not.
  void look_around() {
    if (!found_.chosen) return;
    const Progress part(progress_, kPartWork, "around the one that is proposed");
    const std::vector<std::uint32_t> chosen = question_.space.choices(*found_.chosen);
    for (std::size_t axis = 0; axis < chosen.size(); axis++) {
      const bool has_parts = question_.space.axes()[axis].name == kPartsAxis;
      std::vector<PointId> others = question_.space.neighbours(*found_.chosen, axis);
      std::erase_if(others, [&](PointId point) { return !measured_.at(kBuilt).at(point).refused.empty(); });
      if (!has_parts) measured_.measure(kPlayed, others);
      std::vector<AxisEffect>& effects = found_.search.effects.emplace_back();
      std::vector<std::uint32_t> moved = chosen;
      for (moved[axis] = 0; moved[axis] < question_.space.axes()[axis].values.size(); moved[axis]++) {
        const PointId point = question_.space.point(moved);
        const Outcome* const known = played(point);
        const Outcome& before = measured_.at(kBuilt).at(point);
        effects.push_back({moved[axis], known ? *known : before, !known && before.refused.empty()});
      }
    }
  }

  [[nodiscard]] LevelCount count_of(NetworkLevel level, std::string name, std::uint64_t candidates) const {
    LevelCount count{.name = std::move(name), .candidates = candidates, .tried = measured_.at(level).size()};
    for (const auto& [point, outcome] : measured_.at(level)) count.refused += outcome.refused.empty() ? 0 : 1;
    count.ruled_out = candidates - count.tried;
    return count;
  }

  void sum_up() {
    SearchResult& search = found_.search;
    search.points = question_.space.size();
    search.levels = {count_of(kBuilt, kLevelNames[kBuilt], search.points),
                     count_of(kPlayed, kLevelNames[kPlayed], networks_.size()),
                     count_of(kDown, kLevelNames[kDown], networks_.size())};
    for (const PointId point : networks_)
      if (played(point) && !is_refused(point))
        search.ranked.push_back({point, {measured_.at(kBuilt).at(point), *played(point)}});
    std::sort(search.ranked.begin(), search.ranked.end(), [&](const TriedPoint& a, const TriedPoint& b) {
      return std::pair(least_step(a.point), a.point) < std::pair(least_step(b.point), b.point);
    });
    search.below_bound = measured_.below_bound();
  }

  const NetworkQuestion& question_;
  const PlanRequest& asked_;
  Progress& progress_;
  TriedPoints measured_;
  std::vector<PointId> networks_;  // that can be built within the limits, the likeliest first
  const double resolution_;
  double slack_ = kFlowSlack;
  double least_ = INFINITY;    // step of any without queues
  double fastest_ = INFINITY;  // units of what was played
  SoughtNetworks found_;
};

}  // namespace

Problem problem_of_networks(const NetworkQuestion& question) {
  Problem problem{
      .space = question.space, .measures = network_measures(), .glance = [](PointId) { return Glance{}; }, .levels = {}};
  problem.levels.push_back({.name = kLevelNames[kBuilt], .evaluate = [&question](PointId point) {
                              Outcome outcome = question.networks.built(point);
                              if (outcome.refused.empty() && !broken_limits(question.limits, outcome.values).empty())
                                outcome = {kBeyond, {}};
                              return outcome;
                            }});
  problem.levels.push_back(
      {.name = kLevelNames[kPlayed], .evaluate = [&question](PointId point) { return question.networks.played(point); }});
  problem.levels.push_back(
      {.name = kLevelNames[kDown], .evaluate = [&question](PointId point) { return question.networks.one_down(point); }});
  return problem;
}

SoughtNetworks search_networks(const Problem& problem, const NetworkQuestion& question, Journal& journal, Progress& progress) {
  return NetworkSearch(problem, question, journal, progress).run();
}

}  // namespace railyard
