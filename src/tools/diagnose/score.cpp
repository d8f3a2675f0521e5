#include "tools/diagnose/score.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tools/diagnose/scope.h"

namespace railyard {

namespace {

constexpr double kFarOff = 8;          // standard deviations beyond which a point counts no more
constexpr int kBetween = 8;            // severities from one variant to the next
constexpr double kVisible = 1.01;      // times as long, for a cause to be one
constexpr double kLeastShare = 0.005;  // of what is expected, for causes that nobody knows

double log_sum(const std::vector<double>& logs) {
  const double most = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double one : logs) sum += std::exp(one - most);
  return most + std::log(sum);
}

/// Normal distribution of logarithms whose errors have a common part: Sherman and Morrison's formula for its inverse.
double log_density(const std::vector<double>& off, const std::vector<double>& own, double common) {
  double squares = 0, weighted = 0, weights = 0, log_det = 0;
  for (std::size_t i = 0; i < off.size(); i++) {
    const double variance = own[i] * own[i];
    squares += off[i] * off[i] / variance;
    weighted += off[i] / variance;
    weights += 1 / variance;
    log_det += std::log(variance);
  }
  const double c2 = common * common;
  const double distance = squares - c2 * weighted * weighted / (1 + c2 * weights);
  return -0.5 * (distance + log_det + std::log1p(c2 * weights));
}

/// A slowdown of any size, the same for the whole curve: every share of the expected rate as likely as another, in ratios.
double log_any_slowdown(const Curve& curve, const std::vector<double>& expected) {
  constexpr std::size_t kShares = 24;
  std::vector<double> logs;
  for (const double share : ratios(kLeastShare, 1, kShares)) {
    std::vector<double> slower = expected;
    for (double& time : slower) time /= share;
    logs.push_back(log_likelihood(curve, slower));
  }
  return log_sum(logs) - std::log(double(kShares));
}

/// Times with the cause from a size on, without it below.
std::vector<double> joined(const Curve& curve, const std::vector<double>& with, const std::vector<double>& without,
                           Bytes from) {
  std::vector<double> times = with;
  for (std::size_t i = 0; i < times.size(); i++)
    if (curve.points[i].size < from) times[i] = without[i];
  return times;
}

class Ranking {
 public:
  Ranking(const std::vector<Curve>& curves, const CausePredictions& predictions, const ClusterFacts& facts,
          const std::vector<Evidence>& evidence)
      : curves_(curves), predictions_(predictions), facts_(facts), evidence_(evidence) {
    const auto found = predictions.by_set.find({});
    if (found != predictions.by_set.end()) expected_ = found->second;
    healthy_ = has_curves() ? fit_of(expected_) : 0;
    scopes_ = scopes_of(curves, expected_);
  }

  std::vector<RankedCause> run() {
    std::vector<RankedCause> ranked;
    for (const SlowCause& cause : all_causes())
      if (std::optional<RankedCause> one = judged(cause)) ranked.push_back(std::move(*one));
    normalise(ranked);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const RankedCause& a, const RankedCause& b) { return a.score > b.score; });
    return ranked;
  }

 private:
  [[nodiscard]] bool has_curves() const { return !expected_.empty(); }

  [[nodiscard]] double fit_of(const PredictedTimes& times) const {
    double sum = 0;
    for (std::size_t i = 0; i < curves_.size(); i++)
      if (!times[i].empty()) sum += log_likelihood(curves_[i], times[i]);
    return sum;
  }

  /// With a cause that a curve cannot be run with, and outside its scope, the curve is as expected.
  [[nodiscard]] PredictedTimes times_with(const Variant& variant, const CauseScope& scope) const {
    PredictedTimes times = predictions_.by_set.at(variant.set);
    for (std::size_t i = 0; i < curves_.size(); i++) {
      for (double& time : times[i]) time *= variant.slowdown;
      if (times[i].empty() || !scope.shows[i]) times[i] = expected_[i];
      if (!expected_[i].empty()) times[i] = joined(curves_[i], times[i], expected_[i], variant.from);
    }
    return times;
  }

  /// Whether it makes a difference that could be measured.
  [[nodiscard]] bool shows(const PredictedTimes& times) const {
    for (std::size_t i = 0; i < times.size(); i++)
      for (std::size_t k = 0; k < times[i].size(); k++)
        if (times[i][k] > kVisible * expected_[i][k]) return true;
    return false;
  }

  /// Times of a variant, and of severities between it and the next where those are meant.
  [[nodiscard]] std::vector<PredictedTimes> severities(const Variant& variant, const Variant* next,
                                                       const CauseScope& scope) const {
    std::vector<PredictedTimes> all = {times_with(variant, scope)};
    if (!variant.continues || !next || !predictions_.by_set.contains(next->set)) return all;
    const PredictedTimes last = times_with(*next, scope);
    for (int step = 1; step < kBetween; step++) {
      PredictedTimes times = all.front();
      for (std::size_t i = 0; i < times.size(); i++)
        for (std::size_t k = 0; k < times[i].size(); k++)
          times[i][k] *= std::pow(last[i][k] / times[i][k], double(step) / kBetween);
      all.push_back(std::move(times));
    }
    return all;
  }

  /// What is summed up of a cause while its variants are tried.
  struct Fits {
    std::vector<double> logs;
    double weights = 0, best = 0;
  };

  /// One variant, with the severities between it and the next, within a scope.
  void try_variant(const SlowCause& cause, const std::vector<Variant>& variants, std::size_t v, const CauseScope& scope,
                   Fits& fits, RankedCause& out) const {
    const Variant& variant = variants[v];
    std::vector<PredictedTimes> all = severities(variant, v + 1 < variants.size() ? &variants[v + 1] : nullptr, scope);
    for (PredictedTimes& times : all) {
      if (cause.in != CauseIn::nothing && !shows(times)) continue;
      const double weight = variant.weight / static_cast<double>(all.size());
      const double log = fit_of(times) + std::log(weight) + scope.log_weight;
      if (fits.logs.empty() || log > fits.best) {
        fits.best = log, out.best = variant, out.times = std::move(times), out.is_everywhere = scope.where.empty();
        if (!scope.where.empty()) out.best.how += ", " + scope.where;
      }
      fits.logs.push_back(log);
      if (scope.where.empty()) fits.weights += weight;
    }
  }

  /// The mean of a cause's likelihood over its variants, and the best of them. False where none can be run, or none shows.
  bool fit(const SlowCause& cause, RankedCause& out) const {
    const std::vector<Variant> variants = cause.variants(facts_);
    Fits all;
    for (std::size_t v = 0; v < variants.size(); v++) {
      if (!predictions_.by_set.contains(variants[v].set)) continue;
      for (const CauseScope& scope : scopes_)
        if (fits(scope, cause)) try_variant(cause, variants, v, scope, all, out);
    }
    if (all.logs.empty()) return false;
    out.fit = log_sum(all.logs) - std::log(all.weights) - healthy_;
    return true;
  }

  [[nodiscard]] double fit_unknown() const {
    double sum = 0;
    for (std::size_t i = 0; i < curves_.size(); i++)
      if (!expected_[i].empty()) sum += log_any_slowdown(curves_[i], expected_[i]);
    return sum - healthy_;
  }

  std::optional<RankedCause> judged(const SlowCause& cause) const {
    RankedCause one{.cause = &cause};
    double odds = 0;
    for (const Evidence& piece : evidence_)
      if (piece.cause == cause.id) one.evidence.push_back(piece), odds += piece.log_odds;
    if (has_curves()) {
      if (cause.in == CauseIn::unknown)
        one.fit = fit_unknown();
      else if (!fit(cause, one))
        return std::nullopt;
    }
    one.score = std::log(cause.prior) + one.fit + odds;
    return one;
  }

  static void normalise(std::vector<RankedCause>& ranked) {
    std::vector<double> logs;
    for (const RankedCause& one : ranked) logs.push_back(one.score);
    const double all = log_sum(logs);
    for (RankedCause& one : ranked) one.score = std::exp(one.score - all);
  }

  const std::vector<Curve>& curves_;
  const CausePredictions& predictions_;
  const ClusterFacts& facts_;
  const std::vector<Evidence>& evidence_;
  PredictedTimes expected_;
  std::vector<CauseScope> scopes_;
  double healthy_ = 0;
};

}  // namespace

double log_likelihood(const Curve& curve, const std::vector<double>& predicted) {
  std::vector<double> rates, off, own;
  for (std::size_t i = 0; i < curve.points.size() && i < predicted.size(); i++)
    rates.push_back(static_cast<double>(curve.points[i].size.count()) / predicted[i]);
  if (rates.empty()) return 0;
  const double most = *std::max_element(rates.begin(), rates.end());
  for (std::size_t i = 0; i < rates.size(); i++) {
    own.push_back(own_spread(curve.points[i].size, rates[i] / most));
    const double limit = kFarOff * std::hypot(own.back(), kCommonSpread);
    off.push_back(std::clamp(std::log(curve.points[i].time_s / predicted[i]), -limit, limit));
  }
  return log_density(off, own, kCommonSpread);
}

std::vector<RankedCause> rank_causes(const std::vector<Curve>& curves, const CausePredictions& predictions,
                                     const ClusterFacts& facts, const std::vector<Evidence>& evidence) {
  return Ranking(curves, predictions, facts, evidence).run();
}

}  // namespace railyard
