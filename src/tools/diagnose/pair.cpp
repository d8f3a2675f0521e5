#include "tools/diagnose/pair.h"

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

constexpr std::size_t kMostSimulated = 6;  // pairs
constexpr double kNoDifference = 1.02;     // times as long

/// One change to the cluster and what it does alone, of the likeliest cause that may have it.
struct Part {
  const SlowCause* cause = nullptr;
  Variant variant = {};
  PredictedTimes times = {};
  double log_prior = 0;  // with what evidence adds
};

struct Guess {
  std::size_t first = 0, second = 0;
  double score = 0;
};

std::string_view key_of(std::string_view override_text) { return override_text.substr(0, override_text.find('=')); }

/// Whether both change other things.
bool are_apart(const Variant& a, const Variant& b) {
  for (const std::string& one : a.set)
    for (const std::string& other : b.set)
      if (key_of(one) == key_of(other)) return false;
  return !a.set.empty() && !b.set.empty();
}

class PairSearch {
 public:
  PairSearch(const std::vector<Curve>& curves, const CausePredictions& predictions, const ClusterFacts& facts,
             const std::vector<RankedCause>& ranked)
      : curves_(curves), predictions_(predictions), expected_(predictions.by_set.at({})) {
    for (const RankedCause& one : ranked) {
      double odds = std::log(one.cause->prior);
      for (const Evidence& piece : one.evidence) odds += piece.log_odds;
      if (!one.times.empty()) single_ = std::max(single_, fit_of(one.times));
      if (one.cause->in == CauseIn::server || one.cause->in == CauseIn::job || one.cause->in == CauseIn::network)
        for (const Variant& variant : one.cause->variants(facts)) add_part(*one.cause, variant, odds);
    }
  }

  std::optional<CausePair> run(const RunWith& run_with) const {
    std::optional<CausePair> best;
    for (const Guess& guess : guesses()) {
      const Part &a = parts_[guess.first], &b = parts_[guess.second];
      std::vector<std::string> set = a.variant.set;
      set.insert(set.end(), b.variant.set.begin(), b.variant.set.end());
      std::optional<PredictedTimes> times = run_with(set);
      if (!times) continue;
      for (std::size_t i = 0; i < curves_.size(); i++)
        if ((*times)[i].empty()) (*times)[i] = expected_[i];
      const double gain = fit_of(*times) - single_;
      if (gain < kPairGain || (best && gain <= best->gain)) continue;
      best = CausePair{a.cause, b.cause, a.variant, b.variant, std::move(*times), gain};
    }
    return best;
  }

 private:
  [[nodiscard]] double fit_of(const PredictedTimes& times) const {
    double sum = 0;
    for (std::size_t i = 0; i < curves_.size(); i++)
      if (!times[i].empty()) sum += log_likelihood(curves_[i], times[i]);
    return sum;
  }

  /// Changes that several causes share are told as the likeliest of them.
  void add_part(const SlowCause& cause, const Variant& variant, double log_prior) {
    const auto found = predictions_.by_set.find(variant.set);
    if (found == predictions_.by_set.end() || variant.from > Bytes::zero() || variant.slowdown != 1) return;
    const auto known =
        std::find_if(parts_.begin(), parts_.end(), [&](const Part& one) { return one.variant.set == variant.set; });
    if (known != parts_.end()) {
      if (log_prior > known->log_prior) known->cause = &cause, known->variant = variant, known->log_prior = log_prior;
      return;
    }
    PredictedTimes times = found->second;
    bool shows = false;
    for (std::size_t i = 0; i < times.size(); i++) {
      if (times[i].empty()) times[i] = expected_[i];
      for (std::size_t k = 0; k < times[i].size(); k++) shows |= times[i][k] > kNoDifference * expected_[i][k];
    }
    if (shows) parts_.push_back({&cause, variant, std::move(times), log_prior});
  }

  /// Both delay what they delay alone, or the slower of them hides the other: whichever fits better is what it may be.
  [[nodiscard]] double guessed_fit(const Part& a, const Part& b) const {
    PredictedTimes sum = a.times, most = a.times;
    for (std::size_t i = 0; i < sum.size(); i++)
      for (std::size_t k = 0; k < sum[i].size(); k++) {
        sum[i][k] = std::max(a.times[i][k] + b.times[i][k] - expected_[i][k], expected_[i][k]);
        most[i][k] = std::max(a.times[i][k], b.times[i][k]);
      }
    return std::max(fit_of(sum), fit_of(most));
  }

  /// The likeliest pairs, of each two causes one.
  [[nodiscard]] std::vector<Guess> guesses() const {
    std::vector<Guess> all;
    for (std::size_t i = 0; i < parts_.size(); i++)
      for (std::size_t k = i + 1; k < parts_.size(); k++) {
        if (parts_[i].cause == parts_[k].cause || !are_apart(parts_[i].variant, parts_[k].variant)) continue;
        const double fit = guessed_fit(parts_[i], parts_[k]);
        if (fit > single_ + kPairGain / 2) all.push_back({i, k, fit + parts_[i].log_prior + parts_[k].log_prior});
      }
    std::stable_sort(all.begin(), all.end(), [](const Guess& a, const Guess& b) { return a.score > b.score; });
    if (all.size() > kMostSimulated) all.resize(kMostSimulated);
    return all;
  }

  const std::vector<Curve>& curves_;
  const CausePredictions& predictions_;
  const PredictedTimes& expected_;
  std::vector<Part> parts_;
  double single_ = -1e300;
};

}  // namespace

std::optional<CausePair> best_pair(const std::vector<Curve>& curves, const CausePredictions& predictions,
                                   const ClusterFacts& facts, const std::vector<RankedCause>& ranked, const RunWith& run_with) {
  if (!predictions.by_set.contains({})) return std::nullopt;
  return PairSearch(curves, predictions, facts, ranked).run(run_with);
}

}  // namespace railyard
